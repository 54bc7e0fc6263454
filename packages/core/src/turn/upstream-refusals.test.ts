/** @module-tag long */
import { gzipSync } from 'node:zlib'
import {
  answerWell,
  type RawAnswer,
  type RawApi,
  type RawProvider,
  rawHead,
  startRawProvider,
} from '@sibyl/models/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selfSigned } from '../testing/self-signed.ts'
import { type UpstreamOracle, upstreamKey, upstreamOracle, upstreamWord } from '../testing/upstream-oracle.ts'

const errorBody = JSON.stringify({
  error: { message: `${upstreamWord}: Bearer ${upstreamKey} is wrong`, type: 'some_error', code: null },
})

const refuse =
  (
    status: number,
    headers: Readonly<Record<string, string | number>> = {},
    body: string | Buffer = errorBody,
  ): RawAnswer =>
  socket => {
    socket.write(rawHead(status, { 'content-type': 'application/json', ...headers }))
    socket.end(body)
  }

const hugeHeader = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x-${index}`, 'y'.repeat(8_000)]))

const refusals: readonly (readonly [string, RawAnswer, string])[] = [
  ['400', refuse(400), 'model_bad_request'],
  ['401', refuse(401), 'model_unauthorized'],
  ['403', refuse(403), 'model_unauthorized'],
  ['404', refuse(404), 'model_not_found'],
  ['413', refuse(413), 'model_context_too_long'],
  ['429', refuse(429), 'model_rate_limited'],
  ['429 with Retry-After', refuse(429, { 'retry-after': 1 }), 'model_rate_limited'],
  ['429 with an absurd Retry-After', refuse(429, { 'retry-after': '9'.repeat(30) }), 'model_rate_limited'],
  ['500', refuse(500), 'model_server_error'],
  ['503', refuse(503), 'model_server_error'],
  ['504', refuse(504), 'model_timeout'],
  ['a status that does not exist', refuse(599), 'model_server_error'],
  [
    'a page of a proxy',
    refuse(502, { 'content-type': 'text/html' }, `<html>${upstreamWord}</html>`),
    'model_server_error',
  ],
  ['a refusal of 14 MB', refuse(500, {}, upstreamWord.repeat(2_000_000)), 'model_server_error'],
  [
    'a refusal that unpacks to 50 MB',
    refuse(500, { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(50_000_000), { level: 1 })),
    'model_server_error',
  ],
  ['a refusal that cannot be unpacked', refuse(500, { 'content-encoding': 'gzip' }, 'junk'), 'model_server_error'],
  [
    'a refusal that ends in the middle',
    socket => socket.end(`${rawHead(400, { 'content-length': 500 })}{"error"`),
    'model_bad_request',
  ],
  ['a redirect to elsewhere', refuse(307, { location: 'http://127.0.0.1:1/v1' }), 'model_bad_response'],
  ['200 without a body', socket => socket.end(rawHead(200, { 'content-length': 0 })), 'model_bad_response'],
  ['204', socket => socket.end(rawHead(204)), 'model_bad_response'],
  ['huge headers', refuse(200, hugeHeader), 'model_bad_response'],
  ['what is not HTTP', socket => socket.end(`SSH-2.0-${upstreamWord}\r\n`), 'model_bad_response'],
  ['nothing', socket => socket.end(), 'model_unreachable'],
  ['a reset', socket => socket.resetAndDestroy(), 'model_unreachable'],
  ['half a head', socket => socket.end('HTTP/1.1 200 O'), 'model_unreachable'],
]

describe.each<RawApi>(['openai', 'openai-compatible'])('a provider behind %s that responds with', api => {
  let provider: RawProvider
  let upstream: UpstreamOracle
  beforeAll(async () => {
    provider = await startRawProvider(() => {})
    upstream = await upstreamOracle(api, provider.url)
  })
  afterAll(async () => {
    await upstream[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  test.each(refusals)('%s: one error with a code, and the next turn works', async (_, answer, code) => {
    const session = crypto.randomUUID()
    provider.answer(answer)
    const before = provider.requests.length
    const failed = await upstream.send('hi', session)
    expect([failed.last?.type, failed.last?.code, failed.done]).toEqual(['error', code, true])
    expect(failed.events.filter(({ type }) => /^(error|finish|abort)$/.test(type)).length).toBe(1)
    expect(provider.requests.length).toBe(before + 1)
    provider.answer(answerWell(api, { text: 'fine' }))
    const next = await upstream.send('again', session)
    expect([next.text, next.last?.type]).toEqual(['fine', 'finish'])
    expect(upstream.leaks(failed, next)).toEqual([])
  })
})

describe.each<RawApi>(['openai', 'openai-compatible'])('a provider behind %s that is unreachable', api => {
  test('because nothing listens: the next turn works once it does', async () => {
    const gone = await startRawProvider(() => {})
    await gone[Symbol.asyncDispose]()
    await using upstream = await upstreamOracle(api, gone.url)
    const failed = await upstream.send()
    expect(failed.last).toMatchObject({ type: 'error', code: 'model_unreachable' })
    await using back = await startRawProvider(answerWell(api, { text: 'fine' }), { port: gone.port })
    expect((await upstream.send('again')).text).toBe('fine')
    expect(back.requests.length).toBe(1)
    expect(upstream.leaks(failed)).toEqual([])
  })

  test('because its name does not resolve', async () => {
    await using upstream = await upstreamOracle(api, 'http://no-such-host.invalid/v1')
    expect((await upstream.send()).last).toMatchObject({ type: 'error', code: 'model_unreachable' })
    expect((await upstream.send('again')).last).toMatchObject({ type: 'error', code: 'model_unreachable' })
  })

  test('because its certificate is untrusted: it receives no key', async () => {
    await using provider = await startRawProvider(answerWell(api, { text: 'fine' }), { tls: selfSigned() })
    await using upstream = await upstreamOracle(api, provider.url)
    const failed = await upstream.send()
    expect(failed.last).toMatchObject({ type: 'error', code: 'model_unreachable' })
    expect(provider.requests).toEqual([])
    expect(upstream.leaks(failed)).toEqual([])
  })
})
