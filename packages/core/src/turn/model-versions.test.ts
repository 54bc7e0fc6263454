import type { LanguageModelV2, LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'
import { till } from '../testing/till.ts'

const streamOf = <Part>(parts: readonly Part[]) =>
  new ReadableStream<Part>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

const parts = (call: number) =>
  call === 1
    ? [
        { type: 'file' as const, mediaType: 'image/png', data: 'iVBORw0KGgo=' },
        { type: 'tool-call' as const, toolCallId: 'c1', toolName: 'look', input: '{}' },
      ]
    : [
        { type: 'text-start' as const, id: '0' },
        { type: 'text-delta' as const, id: '0', delta: 'done' },
        { type: 'text-end' as const, id: '0' },
      ]

const v3Finish = (call: number): LanguageModelV3StreamPart => ({
  type: 'finish',
  finishReason: { unified: call === 1 ? 'tool-calls' : 'stop', raw: undefined },
  usage: {
    inputTokens: { total: 7, noCache: 7, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 3, text: 3, reasoning: undefined },
  },
})

const refuse = () => Promise.reject(new Error('not generated'))

const v3 = (prompts: unknown[]): LanguageModelV3 => ({
  specificationVersion: 'v3',
  provider: 'third',
  modelId: 'third',
  supportedUrls: {},
  doGenerate: refuse,
  async doStream({ prompt }) {
    const call = prompts.push(prompt)
    return { stream: streamOf<LanguageModelV3StreamPart>([...parts(call), v3Finish(call)]) }
  },
})

const v2 = (prompts: unknown[]): LanguageModelV2 => ({
  specificationVersion: 'v2',
  provider: 'second',
  modelId: 'second',
  supportedUrls: {},
  doGenerate: refuse,
  async doStream({ prompt }) {
    const call = prompts.push(prompt)
    return {
      stream: streamOf([
        ...parts(call),
        {
          type: 'finish' as const,
          finishReason: call === 1 ? ('tool-calls' as const) : ('stop' as const),
          usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 },
        },
      ]),
    }
  },
})

test.each([
  ['second', v2],
  ['third', v3],
])('a model of the %s version of the provider interface answers', async (_, makeModel) => {
  const prompts: unknown[] = []
  await using oracle = await testApp({ plugins: [officePlugin(till().parts)], model: makeModel(prompts) })
  const { text, last, events } = await oracle.chat('hi')
  expect([text, last?.type, prompts.length]).toEqual(['done', 'finish', 2])
  expect(events.find(({ type }) => type === 'file')).toMatchObject({ url: 'data:image/png;base64,iVBORw0KGgo=' })
  expect(last?.messageMetadata).toMatchObject({ usage: { inputTokens: 14, outputTokens: 6 } })
  expect(JSON.stringify(prompts[1])).toContain('"data":"iVBORw0KGgo="')
})
