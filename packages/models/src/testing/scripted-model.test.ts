import { generateText, isStepCount, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from './scripted-model.ts'

const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `14 °C in ${city}` })
const quiet = { onError: () => {} }

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

describe('scriptedModel', () => {
  it('plays one step a call, streams words and remembers what it was sent', async () => {
    const model = scriptedModel([{ tool: 'weather', input: { city: 'Berlin' }, id: 'c1' }, 'It is 14 °C.'])
    const result = streamText({ model, prompt: 'weather?', tools: { weather }, stopWhen: isStepCount(5) })
    const parts = await collect(result.stream)

    expect(parts.filter(part => part.type === 'text-delta').map(part => part.text)).toEqual([
      'It ',
      'is ',
      '14 ',
      '°C.',
    ])
    expect(model.calls.map(call => call.tools)).toEqual([['weather'], ['weather']])
    expect(model.calls[1]?.prompt.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ toolCallId: 'c1', output: { type: 'text', value: '14 °C in Berlin' } }],
    })
  })

  it('answers generateText too, with reasoning, usage and finish reason as scripted', async () => {
    const model = scriptedModel([
      [
        { reasoning: 'hm' },
        'cut',
        { usage: { inputTokens: 10, outputTokens: 3, cachedInputTokens: 8 } },
        { finish: 'length' },
      ],
    ])
    const result = await generateText({ model, prompt: 'hi' })
    expect(result).toMatchObject({ text: 'cut', reasoningText: 'hm', finishReason: 'length' })
    expect(result.usage).toMatchObject({ inputTokens: 10, outputTokens: 3, inputTokenDetails: { cacheReadTokens: 8 } })
  })

  it('holds the stream at a gate until it opens', async () => {
    const gate = Promise.withResolvers<void>()
    const { textStream } = streamText({ model: scriptedModel([['one ', { wait: gate.promise }, 'two']]), prompt: 'hi' })
    const reader = textStream.getReader()
    expect((await reader.read()).value).toBe('one ')
    const next = reader.read()
    gate.resolve()
    expect((await next).value).toBe('two')
  })

  it('lets a gate that never opens be aborted', async () => {
    const abort = new AbortController()
    const { stream } = streamText({
      model: scriptedModel([['one ', { wait: new Promise(() => {}) }]]),
      prompt: 'hi',
      abortSignal: abort.signal,
      ...quiet,
    })
    const types: string[] = []
    for await (const part of stream) {
      types.push(part.type)
      if (part.type === 'text-delta') abort.abort()
    }
    expect(types.at(-1)).toBe('abort')
  })

  it('rejects with an error that stands before any output, streams one that stands after', async () => {
    const early = generateText({ model: scriptedModel([{ error: new Error('refused') }]), prompt: 'hi', maxRetries: 0 })
    await expect(early).rejects.toThrow('refused')

    const late = streamText({ model: scriptedModel([['half', { error: new Error('cut') }]]), prompt: 'hi', ...quiet })
    const parts = await collect(late.stream)
    expect(parts.find(part => part.type === 'error')?.error).toMatchObject({ message: 'cut' })
    expect(parts.some(part => part.type === 'text-delta')).toBe(true)
  })

  it('takes a step as a function of the call, and rejects a call beyond the script', async () => {
    const model = scriptedModel([call => `tools: ${call.tools.length}`])
    expect((await generateText({ model, prompt: 'hi' })).text).toBe('tools: 0')
    await expect(generateText({ model, prompt: 'hi', maxRetries: 0 })).rejects.toThrow('the script has 1')
  })
})
