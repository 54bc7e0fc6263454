import { type RawAnswer, rawHead, startRawProvider, streamHead } from '@sibyl/models/testing'
import { describe, expect, test } from 'vitest'
import { upstreamOracle } from '../testing/upstream-oracle.ts'

type Chunk = Readonly<Record<string, unknown>> | string

const choice = (delta: unknown, finish_reason?: unknown) => ({ choices: [{ index: 0, delta, finish_reason }] })
const text = (content: string) => choice({ content })
const call = (input: string) =>
  choice({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'pay', arguments: input } }] })
const stop = choice({}, 'stop')

const sends =
  (...chunks: readonly Chunk[]): RawAnswer =>
  socket => {
    const lines = chunks.map(chunk => (typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}`))
    socket.end(streamHead + lines.map(line => `${line}\n\n`).join(''))
  }

const done = 'data: [DONE]'

/** Runs a turn whose model calls have these answers; the last answer is repeated. */
const turn = async (...answers: readonly RawAnswer[]) => {
  await using provider = await startRawProvider((socket, request, number) =>
    answers[Math.min(number, answers.length) - 1]!(socket, request, number),
  )
  await using upstream = await upstreamOracle('openai-compatible', provider.url, { LLM_MAX_RETRIES: '1' })
  const stream = await upstream.send()
  const completion = await upstream.oracle.actor.request('/sessions/s1')
  const { messages } = await completion.json()
  return { ...stream, ran: upstream.ran, requests: provider.requests.length, parts: messages.at(-1)?.parts }
}

const fine = sends(text('fine'), stop, done)

describe('what ends a stream', () => {
  test.each<[string, readonly Chunk[]]>([
    ['an empty reason is no end', [choice({ content: 'fi' }, ''), choice({ content: 'ne' }, ' '), stop, done]],
    ['a stream with [DONE] and without a reason', [text('fine'), done]],
    ['a reason that is null to the end', [choice({ content: 'fine' }, null), done]],
    ['a reason of another API', [text('fine'), choice({}, 'end_turn'), done]],
    ['a reason in every chunk', [choice({ content: 'fi' }, 'stop'), choice({ content: 'ne' }, 'stop'), done]],
    ['a stream without [DONE]', [text('fine'), stop]],
  ])('%s', async (_, chunks) => {
    const { text: answer, last } = await turn(sends(...chunks))
    expect([answer, last?.type, last?.finishReason]).toEqual(['fine', 'finish', 'stop'])
  })

  test.each<[string, readonly Chunk[]]>([
    ['a call and [DONE]', [call('{"amount":1}'), done]],
    ['a call and stop', [call('{"amount":1}'), stop, done]],
    ['a call and another reason', [call('{"amount":1}'), choice({}, 'eos'), done]],
    ['an empty reason after a call', [choice({}, ''), call('{"amount":1}'), choice({}, 'tool_use'), done]],
  ])('%s runs it', async (_, chunks) => {
    expect(await turn(sends(...chunks), fine)).toMatchObject({ text: 'fine', ran: ['pay {"amount":1}'] })
  })

  test('text without [DONE] and a reason is an error', async () => {
    expect((await turn(sends(text('fi')))).last).toMatchObject({ type: 'error', code: 'model_bad_response' })
  })

  test.each<[string, readonly Chunk[], string, string]>([
    ['length', [text('so far'), choice({}, 'length'), done], 'length', 'answer_cut'],
    ['MAX_TOKENS', [text('so far'), choice({}, 'MAX_TOKENS'), done], 'length', 'answer_cut'],
    ['length in a call', [text('so far'), call('{"amo'), choice({}, 'length'), done], 'length', 'answer_cut'],
    ['length after a call', [text('so far'), call('{"amount":1}'), choice({}, 'length'), done], 'length', 'answer_cut'],
    ['content_filter', [text('so far'), choice({}, 'content_filter'), done], 'content-filter', 'answer_filtered'],
    ['SAFETY', [text('so far'), choice({}, 'SAFETY'), done], 'content-filter', 'answer_filtered'],
  ])('an answer cut by %s has a notice', async (_, chunks, reason, code) => {
    const { text: answer, last, events, ran, requests } = await turn(sends(...chunks))
    expect([answer, last?.type, last?.finishReason, ran, requests]).toEqual(['so far', 'finish', reason, [], 1])
    expect(events.filter(({ type }) => type === 'data-notice')).toMatchObject([{ data: { code } }])
  })
})

describe('an error inside a stream with status 200', () => {
  const error = (code: unknown, more: object = {}) => ({ error: { message: 'no', code, ...more } })

  test.each<[string, Chunk]>([
    ['503', error(503)],
    ['a text', error('502')],
    ['429', error(429)],
    ['a type', error(null, { type: 'overloaded_error' })],
    ['no code', error(undefined)],
    ['beside choices', { ...error(502), choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }] }],
    ['in a choice', { choices: [{ index: 0, delta: {}, error: { code: 502 } }] }],
    ['of vLLM', { object: 'error', message: 'no', type: 'InternalServerError', code: 500 }],
    ['as an event', `event: error\ndata: ${JSON.stringify({ message: 'no', code: 500 })}`],
    ['as a reason', choice({}, 'error')],
  ])('is retried before the first text (%s)', async (_, chunk) => {
    const role = choice({ role: 'assistant', content: '' })
    expect(await turn(sends(role, chunk, done), fine)).toMatchObject({ text: 'fine', requests: 2 })
  })

  test.each<[string, Chunk, string]>([
    ['429', error(429), 'model_rate_limited'],
    ['401', error(401), 'model_unauthorized'],
    ['400', error(400), 'model_bad_request'],
    ['its type', error(null, { type: 'invalid_request_error' }), 'model_bad_request'],
    ['500', error(500), 'model_server_error'],
    ['a quota', error('insufficient_quota'), 'model_quota_exceeded'],
  ])('has the code of its status: %s', async (_, chunk, code) => {
    const { last, text: answer } = await turn(sends(text('so far'), chunk, done))
    expect([last?.type, last?.code, answer]).toEqual(['error', code, 'so far'])
  })

  test('is ignored after the end', async () => {
    expect(await turn(sends(text('fine'), stop, error(500), done))).toMatchObject({ text: 'fine', requests: 1 })
  })

  test('has the code of its status in a whole answer', async () => {
    const json = rawHead(200, { 'content-type': 'application/json' })
    const answers =
      (body: object): RawAnswer =>
      socket =>
        socket.end(json + JSON.stringify(body))
    expect(await turn(answers(error(503)), fine)).toMatchObject({ text: 'fine', requests: 2 })
    expect((await turn(answers(error(401)))).last).toMatchObject({ code: 'model_unauthorized' })
  })
})

describe('what is skipped', () => {
  const counts = { prompt_tokens: '7', completion_tokens: '2', total_tokens: '9' }

  test.each<[string, Chunk]>([
    ['a chunk without choices', { id: 'c', created: 1, model: 'm' }],
    ['a chunk whose choices are null', { choices: null }],
    ['a chunk without a choice', { choices: [] }],
    ['a choice that is null', { choices: [null] }],
    ['a chunk of filters', { choices: [], prompt_filter_results: [{ prompt_index: 0 }] }],
    ['a usage chunk', { choices: [], usage: { prompt_tokens: 7 } }],
    ['usage that is text', { choices: [], usage: 'none' }],
    ['usage of a chunk without choices', { usage: counts }],
    [
      'unknown members',
      { ...text(''), service: { tier: 1 }, choices: [{ index: 0, delta: { parsed: {}, content: '' } }] },
    ],
    ['members of other types', { id: 7, created: 'now', model: 3, choices: [{ index: '0', delta: { role: 'x' } }] }],
    ['texts of other types', choice({ role: 'assistant', content: 7, reasoning_content: {}, tool_calls: {} })],
    ['an error that is null', { ...text(''), error: null }],
    ['a delta that is null', choice(null)],
    ['an event of another name', 'event: ping\ndata: {"type":"ping"}'],
    ['null', 'data: null'],
  ])('%s', async (_, chunk) => {
    const { text: answer, last } = await turn(sends(chunk, text('fi'), chunk, text('ne'), stop, chunk, done))
    expect([answer, last?.type]).toEqual(['fine', 'finish'])
  })

  test('usage as text is a number', async () => {
    await using provider = await startRawProvider(sends(text('fine'), stop, { choices: [], usage: counts }, done))
    await using upstream = await upstreamOracle('openai-compatible', provider.url)
    await upstream.send()
    const usage = await (await upstream.oracle.actor.request('/usage')).json()
    expect(JSON.stringify(usage)).toMatch(/:9\b/)
  })
})
