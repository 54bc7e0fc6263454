import { recordedLogger } from '@sibyl/plugin/testing'
import { generateText, streamText } from 'ai'
import { describe, expect, test } from 'vitest'
import { classifyModelFailure } from '../failures/classify-model-failure.ts'
import { type ModelCallBounds, resolveLanguageModels } from '../resolve-language-models.ts'
import {
  answerWell,
  type RawAnswer,
  type RawApi,
  rawEvents,
  rawHead,
  startRawProvider,
  streamHead,
} from '../testing/raw-provider.ts'

const apis: readonly RawApi[] = ['openai', 'openai-compatible']

/** A model on a provider that answers in turns, with a time that passes only by waiting and chance at its most. */
const play = async (api: RawApi, answers: readonly RawAnswer[], env: Record<string, number> = {}) => {
  const provider = await startRawProvider((socket, request, number) =>
    (answers[number - 1] ?? answerWell(api, { text: 'fine' }))(socket, request, number),
  )
  const waits: number[] = []
  let now = 1_000_000
  let ahead = 0
  const log = recordedLogger()
  const pace = {
    now: () => now + ahead,
    stopwatch: () => now,
    random: () => 0.5,
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted()
      waits.push(ms)
      now += ms
    },
  }
  const pass = (ms: number) => {
    now += ms
  }
  const jump = (ms: number) => {
    ahead += ms
  }
  const models = resolveLanguageModels(
    { LLM_PROVIDER: api, OPENAI_API_KEY: 'key', OPENAI_BASE_URL: provider.url, LLM_UTILITY_MODEL: 'small', ...env },
    () => Promise.reject(new Error('not offline')),
    { log, pace },
  )
  const ask = async (bounds?: ModelCallBounds, abortSignal?: AbortSignal) => {
    const model = await models.main(bounds)
    let failure: unknown
    const signal = abortSignal ? { abortSignal } : {}
    const { stream } = streamText({ model, prompt: 'hi', maxRetries: 0, onError: () => {}, ...signal })
    let text = ''
    for await (const part of stream) {
      if (part.type === 'text-delta') text += part.text
      if (part.type === 'error') failure ??= part.error
    }
    return { text, code: failure === undefined ? undefined : classifyModelFailure(failure).code, failure }
  }
  const task = async () => {
    const model = await models.utility()
    return generateText({ model, prompt: 'hi', maxRetries: 0 }).then(
      ({ text }) => ({ text, code: undefined }),
      error => ({ text: '', code: classifyModelFailure(error).code }),
    )
  }
  return {
    ask,
    chore: task,
    waits,
    pace,
    log,
    provider,
    pass,
    jump,
    [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose](),
  }
}

const refuse =
  (status: number, headers: Record<string, string | number> = {}): RawAnswer =>
  socket =>
    socket.end(`${rawHead(status, headers)}{"error":{"message":"hunter2"}}`)

const many = (times: number, answer: RawAnswer) => Array.from({ length: times }, () => answer)

describe.each(apis)('calls of a model over %s', api => {
  test.each<[string, RawAnswer]>([
    ['500', refuse(500)],
    ['503', refuse(503)],
    ['429', refuse(429)],
    ['a closed connection', socket => socket.end()],
    ['an error as the first event', socket => socket.end(`${streamHead}${firstError(api)}`)],
  ])('are repeated after %s, with waits that grow', async (_, violation) => {
    await using model = await play(api, many(3, violation))
    expect(await model.ask()).toMatchObject({ text: 'fine', code: undefined })
    expect([model.provider.requests.length, model.waits]).toEqual([4, [250, 500, 1_000]])
    expect(model.log.lines.map(({ fields }) => fields.tries)).toEqual([1, 2, 3])
    expect(JSON.stringify(model.log.lines)).not.toContain('hunter2')
  })

  test('are given up after three repeats, or as many as are set', async () => {
    await using model = await play(api, many(9, refuse(500)))
    expect((await model.ask()).code).toBe('model_server_error')
    expect(model.provider.requests.length).toBe(4)
    await using once = await play(api, many(9, refuse(500)), { LLM_MAX_RETRIES: 1 })
    expect((await once.ask()).code).toBe('model_server_error')
    expect(once.provider.requests.length).toBe(2)
  })

  test.each([400, 401, 403, 404, 413, 422])('are not repeated after %d', async status => {
    await using model = await play(api, [refuse(status)])
    expect((await model.ask()).code).toMatch(/^model_/)
    expect(model.provider.requests.length).toBe(1)
  })

  test('are not repeated once the answer has begun', async () => {
    const events = rawEvents(api, { text: 'so far so good' })
    const begun = events.slice(0, events.findIndex(event => event.includes('"so "')) + 1).join('')
    await using model = await play(api, [socket => socket.end(streamHead + begun)])
    expect(await model.ask()).toMatchObject({ text: 'so ', code: 'model_bad_response' })
    expect(model.provider.requests.length).toBe(1)
  })

  test('wait as long as the provider asks, by seconds, date or milliseconds', async () => {
    const date = new Date(1_000_000 + 5_000).toUTCString()
    await using model = await play(api, [refuse(429, { 'retry-after': date }), refuse(503, { 'retry-after': 7 })])
    expect((await model.ask()).text).toBe('fine')
    expect(model.waits).toEqual([5_250, 7_500])
    await using precise = await play(api, [refuse(429, { 'retry-after-ms': 40, 'retry-after': 9 })])
    expect((await precise.ask()).text).toBe('fine')
    expect(precise.waits).toEqual([290])
  })

  test("use the default waits if the provider's value is not a time", async () => {
    await using model = await play(api, [refuse(429, { 'retry-after': -5 }), refuse(429, { 'retry-after': 'soon' })])
    expect((await model.ask()).text).toBe('fine')
    expect(model.waits).toEqual([250, 500])
  })

  test('fail immediately if the wait would exceed the turn', async () => {
    const asked = refuse(429, { 'retry-after': 60 })
    await using model = await play(api, [asked, asked, refuse(429, { 'retry-after': '9'.repeat(30) })])
    expect((await model.ask({ endsAt: 1_000_000 + 60_000 })).code).toBe('model_rate_limited')
    expect((await model.ask()).code).toBe('model_rate_limited')
    expect((await model.ask({ endsAt: 1e12 })).code).toBe('model_rate_limited')
    expect([model.provider.requests.length, model.waits]).toEqual([3, []])
  })

  test('that are aborted during the wait end immediately', async () => {
    await using model = await play(api, many(9, refuse(500)))
    const abort = new AbortController()
    model.pace.sleep = (_, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')))
        abort.abort(new Error('stopped'))
      })
    await model.ask(undefined, abort.signal)
    expect(model.provider.requests.length).toBe(1)
  })

  test('stop when the provider fails repeatedly, for both models, until one succeeds', async () => {
    await using model = await play(api, many(6, refuse(500)))
    expect((await model.ask()).code).toBe('model_server_error')
    expect((await model.chore()).code).toBe('model_server_error')
    expect(model.provider.requests.length).toBe(5)
    expect((await model.ask()).code).toBe('model_circuit_open')
    expect((await model.chore()).code).toBe('model_circuit_open')
    expect(model.provider.requests.length).toBe(5)
    model.pass(30_000)
    expect((await model.ask()).code).toBe('model_server_error')
    expect((await model.ask()).code).toBe('model_circuit_open')
    model.pass(30_000)
    expect((await model.ask()).text).toBe('fine')
    expect((await model.ask()).text).toBe('fine')
    const reported = model.log.lines
      .map(({ message }) => message)
      .filter(message => !/^a call of the language model .*retried$/.test(message))
    expect(reported).toEqual([
      'the language model fails repeatedly; calls are paused',
      'the language model answers again',
    ])
  })

  test('continue for other users when the provider limits calls', async () => {
    await using model = await play(api, many(8, refuse(429, { 'retry-after': 7 })))
    for (let user = 0; user < 2; user += 1) expect((await model.ask()).code).toBe('model_rate_limited')
    expect(model.provider.requests.length).toBe(8)
    expect((await model.ask()).text).toBe('fine')
  })

  test('continue after the pause when the clock went back meanwhile', async () => {
    await using model = await play(api, many(5, refuse(500)))
    await model.ask()
    await model.ask()
    expect((await model.ask()).code).toBe('model_circuit_open')
    model.jump(-3_600_000)
    model.pass(30_000)
    expect((await model.ask()).text).toBe('fine')
  })

  test('that are rejected for their content do not count as failures of the provider', async () => {
    await using model = await play(api, many(20, refuse(400)))
    for (let time = 0; time < 20; time += 1) expect((await model.ask()).code).toBe('model_bad_request')
    expect((await model.ask()).text).toBe('fine')
  })

  test('that are not streamed are guarded alike', async () => {
    await using model = await play(api, [refuse(503, { 'retry-after': 1 }), refuse(401)])
    expect((await model.chore()).code).toBe('model_unauthorized')
    expect(model.waits).toEqual([1_250])
    const silent = await play(
      api,
      many(4, () => {}),
      { LLM_FIRST_BYTE_TIMEOUT_SECONDS: 0.4 },
    )
    expect((await silent.chore()).code).toBe('model_timeout')
    expect(silent.provider.requests.length).toBe(4)
    await silent[Symbol.asyncDispose]()
    const page = await play(api, [socket => socket.end(`${rawHead(200)}<html>hunter2</html>`)])
    expect((await page.chore()).code).toBe('model_bad_response')
    await page[Symbol.asyncDispose]()
  })

  test('fail with errors that show nothing of the provider', async () => {
    await using model = await play(api, [refuse(400)])
    const { failure } = await model.ask()
    const shown = `${failure} ${JSON.stringify(failure)} ${(failure as Error).stack}`
    expect(shown).not.toMatch(/hunter2|127\.0\.0\.1:\d/)
    expect((failure as Error).cause).toBeUndefined()
    expect(failure).toMatchObject({ code: 'model_bad_request', facts: { status: 400 } })
  })
})

const firstError = (api: RawApi): string => {
  const error = { type: 'server_error', code: 'server_error', message: 'hunter2', param: null }
  const event = api === 'openai' ? { ...error, type: 'error', sequence_number: 0 } : { error }
  return `data: ${JSON.stringify(event)}\n\n`
}
