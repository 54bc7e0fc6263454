import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, streamText, tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type FakeOpenAi, type FakeOpenAiOptions, startFakeOpenAi } from './fake-openai-server.ts'

const running: FakeOpenAi[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(server => server.close()))
})
const start = async (options: FakeOpenAiOptions) => {
  const server = await startFakeOpenAi(options)
  running.push(server)
  return server
}

const tools = {
  weather: tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `14 °C in ${city}` }),
}
const turn = [
  { toolCalls: [{ name: 'weather', arguments: { city: 'São Paulo' } }], usage: { inputTokens: 50, outputTokens: 7 } },
  { text: 'It is 14 °C.', usage: { inputTokens: 60, outputTokens: 5, cachedInputTokens: 40 } },
]
const providers = {
  'chat-completions': (baseURL: string) =>
    createOpenAICompatible({ name: 'fake', baseURL, apiKey: 'key', includeUsage: true })('some-model'),
  responses: (baseURL: string) => createOpenAI({ baseURL, apiKey: 'key' })('some-model'),
}

describe.each(Object.entries(providers))('the fake server over %s', (api, connect) => {
  it('streams a tool call, takes its result and streams the answer with usage', async () => {
    const server = await start({ replies: turn })
    const result = streamText({ model: connect(server.url), prompt: 'weather?', tools, stopWhen: isStepCount(3) })
    const words: string[] = []
    for await (const word of result.textStream) words.push(word)

    const steps = await result.steps
    expect(steps[0]?.toolCalls[0]).toMatchObject({ toolName: 'weather', input: { city: 'São Paulo' } })
    expect(steps[0]?.usage).toMatchObject({ inputTokens: 50, outputTokens: 7 })
    expect(steps[1]?.usage).toMatchObject({ outputTokens: 5, inputTokenDetails: { cacheReadTokens: 40 } })
    expect(words).toEqual(['It ', 'is ', '14 ', '°C.'])
    expect(
      server.requests.map(request => [request.api, request.stream, request.tools, request.afterToolResult]),
    ).toEqual([
      [api, true, ['weather'], false],
      [api, true, ['weather'], true],
    ])
    await expect(server.requests[1]?.ended).resolves.toBe('answered')
  })

  it('answers without a stream', async () => {
    const server = await start({ replies: turn })
    const model = connect(server.url)
    const result = await generateText({ model, prompt: 'weather?', tools, stopWhen: isStepCount(3) })
    expect(result.text).toBe('It is 14 °C.')
    expect(result.steps[0]?.toolResults[0]?.output).toBe('14 °C in São Paulo')
    expect(server.requests.some(request => request.stream)).toBe(false)
  })

  it('gives each tool call its own ID, also within one answer', async () => {
    const call = { name: 'weather', arguments: { city: 'Berlin' } }
    const server = await start({ replies: () => ({ toolCalls: [call, call] }) })
    const model = connect(server.url)
    const ids: string[] = []
    for (let round = 0; round < 2; round += 1) {
      const { toolCalls } = await generateText({ model, prompt: 'weather?', tools })
      ids.push(...toolCalls.map(({ toolCallId }) => toolCallId))
    }
    expect(new Set(ids).size).toBe(4)
  })

  it('learns that the client gave up in the middle of a stream', async () => {
    const server = await start({ replies: [{ text: 'one two three four', eventDelayMs: 20 }] })
    const abort = new AbortController()
    const { textStream } = streamText({
      model: connect(server.url),
      prompt: 'hi',
      abortSignal: abort.signal,
      onError: () => {},
    })
    for await (const _ of textStream) abort.abort()
    await expect(server.requests[0]?.ended).resolves.toBe('aborted')
  })

  it('fails on request, rejects a wrong key and a finished script', async () => {
    const server = await start({ replies: [{ status: 429, headers: { 'retry-after': '7' } }], apiKey: 'key' })
    const ask = (url: string) => generateText({ model: connect(url), prompt: 'hi', maxRetries: 0 })
    await expect(ask(server.url)).rejects.toMatchObject({ statusCode: 429, responseHeaders: { 'retry-after': '7' } })
    await expect(ask(server.url)).rejects.toMatchObject({ statusCode: 500 })

    const locked = await start({ replies: [], apiKey: 'another' })
    await expect(ask(locked.url)).rejects.toMatchObject({ statusCode: 401, message: 'Incorrect API key provided' })
    expect(locked.requests).toEqual([])
  })
})

describe('the fake server as a process', () => {
  it('plays a turn with one tool call and an answer of forty words', async () => {
    const path = fileURLToPath(new URL('./fake-openai-process.ts', import.meta.url))
    const child = spawn(process.execPath, ['--conditions=sibyl-source', '--disable-warning=ExperimentalWarning', path])
    try {
      const [line] = await once(child.stdout, 'data')
      const model = providers['chat-completions'](String(line).trim())
      const inputSchema = z.object({ city: z.string() })
      const get_current_weather = tool({ inputSchema, execute: async () => '14 °C' })
      const result = await generateText({
        model,
        prompt: 'weather?',
        tools: { get_current_weather },
        stopWhen: isStepCount(3),
      })
      expect(result.steps[0]?.toolCalls[0]?.input).toEqual({ city: 'Berlin' })
      expect(result.text.split(' ')).toHaveLength(40)
    } finally {
      child.kill()
    }
  })
})

describe('the fake server', () => {
  it('answers 404 and 400 like the real one', async () => {
    const { url } = await start({ replies: [] })
    expect((await fetch(`${url}/nothing`)).status).toBe(404)
    expect((await fetch(`${url}/responses`, { method: 'POST', body: '[' })).status).toBe(400)
  })
})
