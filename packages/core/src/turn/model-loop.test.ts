import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { type JudgedScene, judgedRun } from './judged-run.test.support.ts'

type Part = LanguageModelV4StreamPart

const usage = {
  inputTokens: { total: 10, noCache: 8, cacheRead: 2, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

const finish = (unified: 'stop' | 'tool-calls' | 'length' = 'stop'): Part => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage,
})

const text = (id: string, ...deltas: string[]): Part[] => [
  { type: 'text-start', id },
  ...deltas.map((delta): Part => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
]

const call = (toolName: string, input: unknown = {}, toolCallId = `${toolName}-1`): Part => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: typeof input === 'string' ? input : JSON.stringify(input),
})

/** Runs a scene through both loops of the AI SDK and our own. */
const judge = async (scene: JudgedScene) => {
  const own = await judgedRun('own', scene)
  expect(own).toEqual(await judgedRun('experimental_streamTextLowMemory', scene))
  expect(own).toEqual(await judgedRun('streamText', scene))
  return own
}

describe('the loop does as streamText does', () => {
  test('with text alone', async () => {
    const { events } = await judge({ answers: [[...text('a', 'Hello ', '', 'you'), finish()]] })
    expect(events).toEqual([
      '{"type":"start-step"}',
      '{"type":"text-start","id":"a"}',
      '{"type":"text-delta","id":"a","delta":"Hello "}',
      '{"type":"text-delta","id":"a","delta":"you"}',
      '{"type":"text-end","id":"a"}',
      '{"type":"finish-step"}',
    ])
  })

  test('with a call and an answer to its result', async () => {
    const { requests, ran } = await judge({
      answers: [
        [...text('a', 'I look. '), call('echo', { n: 1 }), finish('tool-calls')],
        [...text('a', 'done'), finish()],
      ],
    })
    expect([requests.length, ran]).toEqual([2, ['echo {"n":1}']])
  })
})
