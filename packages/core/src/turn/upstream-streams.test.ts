/** @module-tag long */
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import {
  answerWell,
  type RawApi,
  type RawProvider,
  rawEvents,
  rawHead,
  startRawProvider,
  streamHead,
} from '@sibyl/models/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type UpstreamOracle, upstreamOracle, upstreamWord } from '../testing/upstream-oracle.ts'

const apis: readonly RawApi[] = ['openai', 'openai-compatible']

/** Returns the events of an answer up to its first word. */
const begun = (api: RawApi): string => {
  const events = rawEvents(api, { text: 'so far so good' })
  return events.slice(0, events.findIndex(event => event.includes('"so "')) + 1).join('')
}

/** Returns an event that extends a text or the arguments of a tool call. */
const adding = (api: RawApi, text: string): string =>
  rawEvents(api, { text: 'WORD' })
    .find(event => event.includes('"WORD"'))!
    .replace('"WORD"', JSON.stringify(text))

const argumentsBegun = (api: RawApi): readonly [string, string] => {
  const events = rawEvents(api, { toolCalls: [{ name: 'pay', arguments: 'MORE' }] })
  const at = events.findIndex(event => event.includes('"MORE"'))
  return [events.slice(0, at).join(''), events[at]!]
}

const closed = (socket: Socket) =>
  new Promise<void>(resolve => {
    if (socket.closed) resolve()
    else socket.on('close', () => resolve())
  })

/** Writes one piece repeatedly until the connection closes. */
const writeForever = async (socket: Socket, piece: string | Buffer) => {
  const gone = closed(socket)
  while (!socket.destroyed) {
    if (socket.write(piece)) continue
    await Promise.race([new Promise(resolve => socket.once('drain', resolve)), gone])
  }
}

/** Little that unpacks to 100 MB. */
const packed = gzipSync(Buffer.alloc(100_000_000, 'data: x'), { level: 1 })

type Violation = (socket: Socket, api: RawApi) => unknown

const violations: readonly (readonly [string, Violation, string, string])[] = [
  ['stalls before its first byte', () => {}, 'model_timeout', ''],
  ['stalls after its headers', socket => socket.write(streamHead), 'model_timeout', ''],
  [
    'says nothing but that it is alive',
    socket => {
      socket.write(streamHead)
      const timer = setInterval(() => socket.write(': alive\n\n'), 100)
      socket.on('close', () => clearInterval(timer))
    },
    'model_timeout',
    '',
  ],
  ['stalls in mid-answer', (socket, api) => socket.write(streamHead + begun(api)), 'model_timeout', 'so '],
  ['ends in mid-answer', (socket, api) => socket.end(streamHead + begun(api)), 'model_bad_response', 'so '],
  ['is done without an answer', socket => socket.end(`${streamHead}data: [DONE]\n\n`), 'model_bad_response', ''],
  [
    'ends in mid-event',
    (socket, api) => socket.end(`${streamHead}${begun(api)}data: {"id":`),
    'model_bad_response',
    'so ',
  ],
  [
    'breaks off in mid-answer',
    (socket, api) => socket.write(streamHead + begun(api), () => setTimeout(() => socket.resetAndDestroy(), 50)),
    'model_bad_response',
    'so ',
  ],
  [
    'breaks off in mid-chunk',
    (socket, api) => {
      const chunked = { connection: 'keep-alive', 'transfer-encoding': 'chunked' }
      socket.write(rawHead(200, { 'content-type': 'text/event-stream', ...chunked }))
      socket.end(`${Buffer.byteLength(begun(api)).toString(16)}\r\n${begun(api)}\r\nffff\r\ndata: {`)
    },
    'model_unreachable',
    'so ',
  ],
  [
    'streams garbage',
    (socket, api) => socket.end(`${streamHead}${begun(api)}data: <html>${upstreamWord}\n\n`),
    'model_bad_response',
    'so ',
  ],
  [
    'streams garbage from the start',
    socket => socket.end(`${streamHead}data: ${upstreamWord}\n\n`),
    'model_bad_response',
    '',
  ],
  [
    'streams no objects',
    socket => socket.end(`${streamHead}data: null\n\ndata: [1]\n\ndata: 7\n\n`),
    'model_bad_response',
    '',
  ],
  [
    'streams other objects',
    socket => socket.end(`${streamHead}data: {"choices":"${upstreamWord}","type":7}\n\n`),
    'model_bad_response',
    '',
  ],
  [
    'streams an error',
    (socket, api) => {
      const error = { type: 'server_error', code: 'server_error', message: upstreamWord, param: null }
      const event = api === 'openai' ? { ...error, type: 'error', sequence_number: 9, error } : { error }
      socket.end(`${streamHead}${begun(api)}data: ${JSON.stringify(event)}\n\n`)
    },
    'model_server_error',
    'so ',
  ],
  [
    'sends a page',
    socket => socket.end(`${rawHead(200, { 'content-type': 'text/html' })}<html>${upstreamWord}</html>`),
    'model_bad_response',
    '',
  ],
  [
    'sends 10 MB at once',
    (socket, api) => socket.end(streamHead + begun(api) + adding(api, 'x'.repeat(10_000_000))),
    'turn_too_large',
    'so ',
  ],
  [
    'sends a little that unpacks to much',
    socket => {
      socket.write(rawHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }))
      socket.end(packed)
    },
    'turn_too_large',
    '',
  ],
]

const oneEnd = async (upstream: UpstreamOracle, code: string, text: string, session?: string) => {
  const failed = await upstream.send('hi', session)
  expect([failed.last?.type, failed.last?.code, failed.done]).toEqual(['error', code, true])
  expect(failed.events.filter(({ type }) => /^(error|finish|abort)$/.test(type)).length).toBe(1)
  expect(failed.text).toBe(text)
  return failed
}

describe.each(apis)('a provider behind %s that', api => {
  const title = '%s: one error, the received part is kept, and the next turn works'

  /** Runs a turn that fails, and the next one of its session. */
  const failOnce = async (
    provider: RawProvider,
    upstream: UpstreamOracle,
    [, violation, code, text]: (typeof violations)[number],
  ) => {
    const session = crypto.randomUUID()
    provider.answer(socket => violation(socket, api))
    const failed = await oneEnd(upstream, code, text, session)
    await Promise.all([...provider.open].map(closed))
    provider.answer(answerWell(api, { text: 'fine' }))
    let next = await upstream.send('again', session)
    // Two seconds are short for a busy machine.
    while (next.last?.code === 'model_timeout') next = await upstream.send('again', session)
    expect([next.text, next.last?.type]).toEqual(['fine', 'finish'])
    const { messages } = await (await upstream.oracle.actor.request(`/sessions/${session}`)).json()
    const outcomes = messages.flatMap(({ metadata }: { metadata: { outcome?: string } }) => metadata.outcome ?? [])
    expect(outcomes.filter((outcome: string) => outcome !== 'failed')).toEqual(['done'])
    if (text !== '') expect(outcomes).toEqual(['failed', 'done'])
    expect(upstream.ran).toEqual([])
    expect(upstream.leaks(failed, next)).toEqual([])
  }

  const isSlow = ([, , code]: (typeof violations)[number]) => code === 'model_timeout'

  test.concurrent.each(violations.filter(isSlow))(title, async (...violation) => {
    await using provider = await startRawProvider(() => {})
    const firstByte = violation[3] === '' ? '2' : '60'
    const limits = { LLM_FIRST_BYTE_TIMEOUT_SECONDS: firstByte, LLM_STALL_TIMEOUT_SECONDS: '2' }
    await using upstream = await upstreamOracle(api, provider.url, limits)
    await failOnce(provider, upstream, violation)
  })

  describe('fails at once, because it', () => {
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

    test.each(violations.filter(violation => !isSlow(violation)))(title, (...violation) =>
      failOnce(provider, upstream, violation),
    )
  })

  test.concurrent.each([
    ['a line', '', 'x'.repeat(60_000), 30_000_000],
    [
      'the arguments of a call',
      argumentsBegun(api)[0],
      argumentsBegun(api)[1].replace('MORE', 'x'.repeat(10_000)),
      8_000_000,
    ],
  ])('never ends %s: little of it is read', async (_, start, more, maxBytes) => {
    await using provider = await startRawProvider(socket => {
      socket.write(`${streamHead}${start}${start === '' ? 'data: ' : ''}`)
      return writeForever(socket, more)
    })
    await using upstream = await upstreamOracle(api, provider.url)
    await oneEnd(upstream, 'turn_too_large', '')
    await Promise.all([...provider.open].map(closed))
    expect(provider.sent()).toBeLessThan(maxBytes)
  })

  test.concurrent('never ends its answer: it is cut at the limit of a turn', { tags: 'long' }, async () => {
    await using provider = await startRawProvider(socket => {
      socket.write(streamHead + begun(api))
      return writeForever(socket, adding(api, 'y'.repeat(20_000)))
    })
    await using upstream = await upstreamOracle(api, provider.url)
    const failed = await upstream.send()
    expect(failed.last).toMatchObject({ type: 'error', code: 'turn_too_large' })
    expect(failed.text.length).toBeLessThan(8_100_000)
    await Promise.all([...provider.open].map(closed))
    provider.answer(answerWell(api, { text: 'fine' }))
    expect((await upstream.send('again')).text).toBe('fine')
  })
})
