import { answerWell, type RawAnswer, type RawApi, rawHead, startRawProvider } from '@sibyl/models/testing'
import { streamReader } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { upstreamOracle } from '../testing/upstream-oracle.ts'

const refuse =
  (status: number, headers: Record<string, string | number> = {}): RawAnswer =>
  socket =>
    socket.end(`${rawHead(status, headers)}{"error":{"message":"hunter2"}}`)

/** Starts a provider with these answers; the last one is repeated. */
const startAnswers = (...answers: readonly RawAnswer[]) =>
  startRawProvider((socket, request, number) => answers[Math.min(number, answers.length) - 1]!(socket, request, number))

describe.each<RawApi>(['openai', 'openai-compatible'])('a turn whose provider fails behind %s', api => {
  const pay = answerWell(api, { text: 'now ', toolCalls: [{ name: 'pay', arguments: { amount: 5 } }] })
  const fine = answerWell(api, { text: 'fine' })

  test('in its first step continues if the second attempt works', async () => {
    await using provider = await startAnswers(refuse(503), fine)
    await using upstream = await upstreamOracle(api, provider.url, { LLM_MAX_RETRIES: '1' })
    const { text, last } = await upstream.send()
    expect([text, last?.type, provider.requests.length]).toEqual(['fine', 'finish', 2])
  })

  test('after a tool has run retries only the model call, never the tool', async () => {
    await using provider = await startAnswers(pay, refuse(500), fine)
    await using upstream = await upstreamOracle(api, provider.url, { LLM_MAX_RETRIES: '1' })
    const { text, last } = await upstream.send()
    expect([text, last?.type]).toEqual(['now fine', 'finish'])
    expect([upstream.ran, provider.requests.length]).toEqual([['pay {"amount":5}'], 3])
    expect(provider.requests[2]?.body).toEqual(provider.requests[1]?.body)
  })

  test('repeatedly after a tool has run keeps the results', async () => {
    await using provider = await startAnswers(pay, refuse(400))
    await using upstream = await upstreamOracle(api, provider.url)
    const failed = await upstream.send()
    expect(failed.last).toMatchObject({ type: 'error', code: 'model_bad_request' })
    provider.answer(fine)
    expect((await upstream.send('again')).text).toBe('fine')
    expect(upstream.ran).toEqual(['pay {"amount":5}'])
    expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain('done')
    expect(upstream.leaks(failed)).toEqual([])
  })

  test('with a wait longer than the limit of the turn fails immediately', async () => {
    await using provider = await startAnswers(refuse(429, { 'retry-after': 121 }))
    await using upstream = await upstreamOracle(api, provider.url, { LLM_MAX_RETRIES: '3' })
    expect((await upstream.send()).last).toMatchObject({ type: 'error', code: 'model_rate_limited' })
    expect(provider.requests.length).toBe(1)
  })

  test('and is stopped while it waits for a retry ends immediately', async () => {
    const refused = Promise.withResolvers<void>()
    await using provider = await startRawProvider((socket, request, number) => {
      refuse(429, { 'retry-after': 60 })(socket, request, number)
      socket.on('close', () => refused.resolve())
    })
    await using upstream = await upstreamOracle(api, provider.url, { LLM_MAX_RETRIES: '3' })
    const { actor } = upstream.oracle
    const reader = await streamReader(actor.request('/chat', { json: { id: 's1', message: 'hi' } }))
    await refused.promise
    expect((await actor.request('/chat/s1/stop', { method: 'POST' })).status).toBe(200)
    expect((await reader.rest()).last?.type).toBe('abort')
    provider.answer(fine)
    expect((await upstream.send('again')).text).toBe('fine')
  })

  test('by never responding ends at the time limit of the turn', async () => {
    await using provider = await startAnswers(() => {})
    await using upstream = await upstreamOracle(api, provider.url, { TURN_TIME_LIMIT_SECONDS: '1' })
    expect((await upstream.send()).last).toMatchObject({ type: 'error', code: 'turn_time_limit' })
    provider.answer(fine)
    expect((await upstream.send('again')).text).toBe('fine')
  })

  test('repeatedly opens the circuit: the next one fails without a request', async () => {
    await using provider = await startAnswers(refuse(500))
    await using upstream = await upstreamOracle(api, provider.url)
    for (let time = 0; time < 5; time += 1) expect((await upstream.send()).last?.code).toBe('model_server_error')
    provider.answer(fine)
    const open = await upstream.send()
    expect(open.last).toMatchObject({ type: 'error', code: 'model_circuit_open' })
    expect(provider.requests.length).toBe(5)
    expect(upstream.leaks(open)).toEqual([])
  })
})
