import { resolveLanguageModels } from '@sibyl/models'
import {
  type FakeAnswer,
  type RawAnswer,
  type RawApi,
  rawEvents,
  startRawProvider,
  streamHead,
} from '@sibyl/models/testing'
import { describe, expect, test } from 'vitest'
import { type JudgedLoop, judgedRun } from './judged-run.test.support.ts'

const apis: readonly RawApi[] = ['openai', 'openai-compatible']

type Change = (event: string, index: number, events: readonly string[]) => string

/** Runs a loop against a provider on a socket that plays recorded events; returns its events and the request bodies. */
const play = async (loop: JudgedLoop, api: RawApi, answers: readonly FakeAnswer[], change: Change) => {
  const bodies: string[] = []
  const answer: RawAnswer = (socket, { body }, number) => {
    bodies.push(JSON.stringify(body))
    const ownIds = (event: string) => event.replaceAll('0'.repeat(24), String(number).repeat(24))
    const events = rawEvents(api, answers[number - 1] ?? { text: 'fine' }).map(ownIds)
    socket.end(streamHead + events.map(change).join(''))
  }
  await using provider = await startRawProvider(answer)
  const models = resolveLanguageModels(
    { LLM_PROVIDER: api, OPENAI_API_KEY: 'key', OPENAI_BASE_URL: provider.url, LLM_MODEL: 'm', LLM_MAX_RETRIES: 0 },
    () => Promise.reject(new Error('not offline')),
  )
  const model = await models.main()
  return { ...(await judgedRun(loop, { answers: [], model: () => model })), bodies }
}

const asRecorded: Change = event => event

const judge = async (api: RawApi, answers: readonly FakeAnswer[], change = asRecorded) => {
  const own = await play('own', api, answers, change)
  expect(own).toEqual(await play('experimental_streamTextLowMemory', api, answers, change))
  expect(own).toEqual(await play('streamText', api, answers, change))
  return own
}

const call = (name: string, input: Record<string, unknown> | string = {}) => ({ name, arguments: input })

describe.each(apis)('recorded streams of a provider behind %s: equal events, equal bytes of the next request', api => {
  test('texts', async () => {
    expect((await judge(api, [{ text: 'It is 14 °C and 🌦.' }])).bodies.length).toBe(1)
  })

  test('calls, their results and an answer', async () => {
    const { bodies, ran } = await judge(api, [
      { text: 'I look.', toolCalls: [call('echo', { n: 1, rank: 2 }), call('words', { n: 2, rank: 1 })] },
      { toolCalls: [call('fail'), call('unknown'), call('echo', { n: 'one' }), call('echo', '{"n":')] },
    ])
    expect([bodies.length, ran.length]).toEqual([3, 3])
  })

  test('an approval and a question', async () => {
    const { questions, phase } = await judge(api, [{ toolCalls: [call('pay'), call('ask')] }])
    expect([questions.length, phase]).toEqual([2, 'waiting'])
  })

  test('an answer truncated by its length', async () => {
    const cut: Change = event =>
      event
        .replace('"finish_reason":"tool_calls"', '"finish_reason":"length"')
        .replace('"type":"response.completed"', '"type":"response.incomplete"')
        .replace('"incomplete_details":null', '"incomplete_details":{"reason":"max_output_tokens"}')
    const { ran, finishReason } = await judge(api, [{ text: 'so far', toolCalls: [call('echo')] }], cut)
    expect([ran, finishReason]).toEqual([[], 'length'])
  })

  test('a stream that ends in the middle', async () => {
    const half: Change = (event, index, events) => (index < events.length / 2 ? event : '')
    const { error } = await judge(api, [{ text: 'so far so good', toolCalls: [call('echo')] }], half)
    expect(error).toContain('ModelCallFailed')
  })

  test('missing usage', async () => {
    const untold: Change = event => event.replace(/"usage":\{(?:[^{}]|\{[^{}]*\})*\}/, '"usage":null')
    const { usage } = await judge(api, [{ text: 'fine' }], untold)
    expect(JSON.parse(usage).outputTokens).toBe(0)
  })
})
