import { createSigningKey } from '@sibyl/identity/browser'
import { afterEach, describe, expect, it } from 'vitest'
import type { ChatTurn } from './chat/chat-turn.ts'
import { rawEvent } from './chat/streamed-event.ts'
import type { ClientOptions } from './client-options.ts'
import { createClient } from './create-client.ts'
import {
  InvalidIdentifierError,
  NetworkError,
  OracleMismatchError,
  ProblemError,
  UnexpectedResponseError,
} from './errors/request-errors.ts'
import { ConnectionLostError, InvalidEventError } from './errors/turn-errors.ts'
import {
  type Failures,
  type Script,
  type ScriptedEvent,
  type ScriptedOracle,
  type ScriptedTurn,
  startScriptedOracle,
} from './testing/index.ts'

const answer = ({ sessionId, turnId, text }: Pick<ScriptedTurn, 'sessionId' | 'turnId' | 'text'>): ScriptedEvent[] => [
  { type: 'start', messageId: 'm-1', messageMetadata: { sessionId, turnId } },
  { type: 'start-step' },
  { type: 'tool-input-available', toolCallId: 'c-1', toolName: 'echo', input: { text }, dynamic: true },
  { type: 'tool-output-available', toolCallId: 'c-1', output: { text } },
  { type: 'data-capability', data: { name: 'echo', tools: ['echo'], tokens: 12 } },
  { type: 'text-start', id: 'x' },
  { type: 'text-delta', id: 'x', delta: 'Grüße 👋🏽 ' },
  { type: 'text-delta', id: 'x', delta: text },
  { type: 'text-end', id: 'x' },
  { type: 'finish-step' },
  { type: 'finish', messageMetadata: { sessionId, turnId, outcome: 'done' } },
]

const oracles: ScriptedOracle[] = []
afterEach(async () => {
  for (const oracle of oracles.splice(0)) await oracle.close()
})

const start = async (
  script: Script = answer,
  failures: Failures = {},
  options: Pick<Partial<ClientOptions>, 'expectedDid' | 'fetch' | 'reconnect'> = {},
) => {
  const oracle = await startScriptedOracle(script, failures)
  oracles.push(oracle)
  const signer = createSigningKey()
  const reconnect = { firstDelayMs: 1, maxDelayMs: 2, tries: 3 }
  return { oracle, signer, client: createClient({ url: oracle.url, signer, reconnect, ...options }) }
}

const collect = async (turn: ChatTurn) => {
  const items = []
  for await (const item of turn.events) items.push(item)
  return items
}

const expectedEvents = (turn: ChatTurn, text: string) => [
  ...answer({ sessionId: turn.sessionId, turnId: turn.turnId, text }),
]

const expectWhole = async (turn: ChatTurn, text: string) => {
  const items = await collect(turn)
  expect(items.map(rawEvent)).toEqual(expectedEvents(turn, text))
  expect(items.map(item => item.number)).toEqual(items.map((_, index) => index + 1))
}

describe('a chat turn', () => {
  it('gives every event of the turn, typed, in order, with the ids of session and turn', async () => {
    const { client, oracle } = await start()
    const turn = await client.chat('hello', { sessionId: 's-1' })
    expect(turn).toMatchObject({ sessionId: 's-1', turnId: 'turn-1' })
    await expectWhole(turn, 'hello')
    expect(oracle.requests.map(it => `${it.method} ${it.path}`)).toEqual(['GET /.well-known/oracle.json', 'POST /chat'])
  })

  it('makes a session when none is given, and keeps the fields that it does not know', async () => {
    const { client } = await start()
    const turn = await client.chat({ role: 'user', parts: [{ type: 'text', text: 'hi' }] })
    expect(turn.sessionId).toMatch(/^[0-9a-f]{32}$/)
    expect((await collect(turn)).map(rawEvent)).toContainEqual(expect.objectContaining({ dynamic: true }))
  })

  it('passes an event of an unknown type through', async () => {
    const { client } = await start(() => [{ type: 'from-the-future', wheels: 4 }, { type: 'finish' }])
    const [first] = await collect(await client.chat('hi'))
    expect(first?.event).toEqual({ type: 'unknown', value: { type: 'from-the-future', wheels: 4 } })
  })

  it.each([
    ['a known type of the wrong form', (frame: string) => frame.replace('"messageId":"m-1"', '"messageId":1')],
    ['no JSON', (frame: string) => frame.replace('data: {', 'data: <')],
    ['no object', (frame: string) => frame.replace(/data: .*/, 'data: []')],
    ['no id', (frame: string) => frame.replace(/id: .*\n/, '')],
    ['an id of another form', (frame: string) => frame.replace(/id: .*\n/, 'id: 7\n')],
  ])('refuses an event with %s', async (_, rewrite) => {
    const { client } = await start(answer, { rewrite })
    await expect(client.chat('hi').then(collect)).rejects.toThrow(InvalidEventError)
  })

  it('reads bytes that are cut anywhere', async () => {
    const fetchByteByByte: typeof globalThis.fetch = async (url, init) => {
      const response = await globalThis.fetch(url, init)
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          for (const byte of chunk) controller.enqueue(Uint8Array.of(byte))
        },
      })
      return new Response(response.body?.pipeThrough(cut), response)
    }
    const { client } = await start(answer, {}, { fetch: fetchByteByByte })
    await expectWhole(await client.chat('Übergröße 🇩🇪'), 'Übergröße 🇩🇪')
  })

  it('mints a fresh invocation for each request', async () => {
    const { client, oracle, signer } = await start()
    await collect(await client.chat('one', { sessionId: 's' }))
    await collect(await client.chat('two', { sessionId: 's' }))
    expect(oracle.requests.slice(1).map(it => it.issuer)).toEqual([signer.did, signer.did])
  })

  it('ends the reading, not the turn, when the reader leaves or the signal aborts', async () => {
    const { client } = await start(async function* (turn) {
      yield* answer(turn)
    })
    const turn = await client.chat('hello', { sessionId: 's-1' })
    for await (const item of turn.events) if (item.number === 3) break

    const controller = new AbortController()
    const again = await client.chat('more', { sessionId: 's-1', signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(collect(again)).rejects.toThrow('enough')
  })

  it('is stopped by stop', async () => {
    const { client } = await start(async function* ({ stopped }) {
      yield { type: 'text-start', id: 'x' }
      await new Promise(resolve => stopped.addEventListener('abort', resolve))
      yield { type: 'abort', reason: 'stopped' }
    })
    const turn = await client.chat('hello')
    await turn.stop()
    expect((await collect(turn)).at(-1)?.event).toEqual({ type: 'abort', reason: 'stopped' })
  })
})

describe('a broken connection', () => {
  it.each(['abrupt', 'clean', 'silent'] as const)('is taken up after every event: %s end', async cut => {
    // Only a silent end needs the time to pass; a busy machine needs more of it.
    const idleTimeoutMs = cut === 'silent' ? 2_500 : 10_000
    const breakAfter = async (events: number) => {
      const { client, oracle } = await start(answer, {}, { reconnect: { firstDelayMs: 1, idleTimeoutMs } })
      let broken = false
      const cutStream = () => {
        const after = broken ? undefined : events
        broken = true
        return after
      }
      Object.assign(oracle.faults, { cut, cutStream })
      const turn = await client.chat(`cut after ${events}`, { sessionId: 's' })
      await expectWhole(turn, `cut after ${events}`)
      const [, second] = oracle.requests.filter(it => it.path.startsWith('/chat'))
      if (events === 0) expect(second).toMatchObject({ method: 'POST' })
      else if (events < 11) expect(second?.lastEventId).toBe(`${turn.turnId}:${events}`)
      else expect(second).toBeUndefined()
      expect(oracle.turnsStarted()).toBe(1)
    }
    await Promise.all(Array.from({ length: 12 }, (_, events) => breakAfter(events)))
  })

  it('resumes after every interruption while it runs', async () => {
    const seen: number[] = []
    const { client } = await start(answer, { cutStream: () => 1 })
    const turn = await client.chat('hi', { onReconnecting: ({ attempt }) => seen.push(attempt) })
    await expectWhole(turn, 'hi')
    expect(seen).toEqual(Array<number>(10).fill(1))
  })

  it('never gives an event twice or leaves one out, whatever the numbers on the way', async () => {
    let connection = 0
    const { client } = await start(answer, {
      cutStream: number => {
        connection = number
        return undefined
      },
      rewrite: (frame, number) => {
        if (connection === 0 && number === 4) return ''
        return connection > 0 && number === 5 ? frame + frame : frame
      },
    })
    await expectWhole(await client.chat('hi'), 'hi')
  })

  it('sends a message whose answer never came again under the same id', async () => {
    const { client, oracle } = await start(answer, { lostPosts: 2 })
    await expectWhole(await client.chat('hi'), 'hi')
    expect(oracle.turnsStarted()).toBe(1)
    const posts = oracle.requests.filter(it => it.method === 'POST').map(it => JSON.stringify(it.body))
    expect(posts).toHaveLength(3)
    expect(new Set(posts).size).toBe(1)
  })

  it('waits out an oracle that starts again', async () => {
    const { client, oracle } = await start(answer, { cutStream: number => (number === 0 ? 4 : undefined) })
    let refusals = 2
    oracle.faults.answer = ({ path }) =>
      path.endsWith('/stream') && refusals-- > 0 ? { status: 503, body: {} } : undefined
    await expectWhole(await client.chat('hi'), 'hi')
  })

  it('is given up after some tries', async () => {
    const seen: number[] = []
    const { client, oracle } = await start(answer, { cutStream: number => (number === 0 ? 4 : 0) })
    const turn = await client.chat('hi', { sessionId: 's', onReconnecting: ({ attempt }) => seen.push(attempt) })
    const error = await collect(turn).catch(reason => reason)
    expect(error).toBeInstanceOf(ConnectionLostError)
    expect(error).toMatchObject({ code: 'connection_lost', sessionId: 's' })
    expect(seen).toEqual([1, 2, 3])
    expect(oracle.turnsStarted()).toBe(1)
  })

  it('does not claim that a message is stored that no one received', async () => {
    const { client } = await start(answer, { lostPosts: 9 })
    const error = await client.chat('hi').catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'connection_lost',
      message: expect.stringContaining('may not have the message'),
    })
    expect(String(error)).not.toContain('stored')
  })

  it('is given up when the oracle has forgotten the turn', async () => {
    const { client, oracle } = await start(answer, { cutStream: number => (number === 0 ? 4 : undefined) })
    oracle.faults.answer = ({ path }) => (path.endsWith('/stream') ? { status: 404, body: notFound } : undefined)
    await expect(client.chat('hi').then(collect)).rejects.toMatchObject({ code: 'session_not_found' })
  })

  it('fails immediately if the oracle reports that nothing is left, without the end', async () => {
    const { client, oracle } = await start(answer, {
      cutStream: connection => (connection === 0 ? 4 : undefined),
      rewrite: (frame, number) => (number > 4 ? '' : frame),
    })
    await expect(client.chat('hi').then(collect)).rejects.toMatchObject({ code: 'connection_lost' })
    expect(oracle.requests.filter(it => it.path.endsWith('/stream'))).toHaveLength(1)
  })

  it('takes comments and pings in between', async () => {
    const { client } = await start(answer, { noise: ': ping\n\n' })
    await expectWhole(await client.chat('hi'), 'hi')
  })
})

const notFound = { type: 'about:x', title: 'No such session', status: 404, code: 'session_not_found' }

describe('resume', () => {
  it('reads a running turn from its start, or from an event on', async () => {
    const rest = Promise.withResolvers<void>()
    const { client } = await start(async function* (turn) {
      const events = answer(turn)
      yield* events.slice(0, 4)
      await rest.promise
      yield* events.slice(4)
    })
    const turn = await client.chat('hi', { sessionId: 's' })
    const whole = await client.resume('s')
    const tail = await client.resume('s', { after: 'turn-1:3' })
    rest.resolve()
    await expectWhole(whole!, 'hi')
    expect((await collect(tail!)).map(it => it.number)).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
    await expectWhole(turn, 'hi')
  })

  it('finds nothing when no turn runs, or nothing is left', async () => {
    const { client } = await start()
    await collect(await client.chat('hi', { sessionId: 's' }))
    expect(await client.resume('s')).toBeUndefined()
    expect(await client.resume('s', { after: 'turn-1:11' })).toBeUndefined()
  })
})

describe('approvals', () => {
  const asks: Script = turn =>
    turn.decided
      ? [
          { type: 'tool-output-available', toolCallId: 'c-1', output: turn.decided },
          { type: 'finish', messageMetadata: { outcome: 'done' } },
        ]
      : [
          { type: 'tool-approval-request', approvalId: 'a-1', toolCallId: 'c-1' },
          { type: 'finish', messageMetadata: { outcome: 'awaiting-approval' } },
        ]

  it('continue the turn', async () => {
    const { client } = await start(asks)
    await collect(await client.chat('do it', { sessionId: 's' }))
    const next = await client.decide('s', 'a-1', 'once', { data: { pin: 1 } })
    if ('waiting' in next) throw new Error('it waits')
    expect(rawEvent((await collect(next))[0]!)).toMatchObject({ output: { decision: 'once', data: { pin: 1 } } })
  })

  it('are sent once, however often the connection breaks', async () => {
    const { client, oracle } = await start(asks)
    await collect(await client.chat('do it', { sessionId: 's' }))
    oracle.faults.lostPosts = 2
    oracle.faults.cutStream = connection => (connection < 4 ? 0 : undefined)
    const next = await client.decide('s', 'a-1', 'deny')
    if ('waiting' in next) throw new Error('it waits')
    expect(await collect(next)).toHaveLength(2)
    expect(oracle.turnsStarted()).toBe(2)
  })

  it('say which others are open', async () => {
    const { client } = await start(asks)
    await collect(await client.chat('do it', { sessionId: 's' }))
    expect(await client.decide('s', 'first-of-two', 'session')).toEqual({ waiting: ['second-of-two'] })
  })
})

describe('records', () => {
  it('are read, listed and deleted', async () => {
    const { client } = await start()
    await collect(await client.chat('hi', { sessionId: 's' }))
    expect(await client.sessions.list()).toMatchObject([{ id: 's', title: 'hi' }])
    expect(await client.sessions.get('s')).toMatchObject({ id: 's', messages: [] })
    await client.sessions.delete('s')
    expect(await client.sessions.list()).toEqual([])
    expect(await client.capabilities()).toEqual([])
    expect(await client.health()).toMatchObject({ status: 'ok' })
    expect(await client.oracle()).toMatchObject({ name: 'Scripted Oracle' })
  })

  it('tell a degraded oracle from none', async () => {
    const body = {
      status: 'degraded',
      environment: 'x',
      timestamp: '2026-01-01T00:00:00Z',
      uptime: 1,
      database: 'disconnected',
    }
    const { client } = await start(answer, { answer: () => ({ status: 503, body }) })
    expect(await client.health()).toMatchObject({ status: 'degraded' })
  })

  it('of a wrong shape are rejected with the path', async () => {
    const { client } = await start(answer, {
      answer: ({ path }) => (path === '/sessions' ? { status: 200, body: { sessions: [{ id: 1 }] } } : undefined),
    })
    await expect(client.sessions.list()).rejects.toThrow('sessions.0.id')
  })
})

describe('errors', () => {
  it('carry the oracle’s problem', async () => {
    const { client } = await start()
    const error = await client.sessions.get('nobody').catch(reason => reason)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ code: 'session_not_found', status: 404, name: 'ProblemError' })
  })

  it('report that no oracle responds', async () => {
    const { client, oracle } = await start()
    await oracle.close()
    const error = await client.chat('hi').catch(reason => reason)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error.message).toContain('ECONNREFUSED')
  })

  it('say that something else is there', async () => {
    const { client, oracle } = await start(answer, { answer: () => ({ status: 200, body: { hello: 'world' } }) })
    await expect(client.oracle()).rejects.toThrow(UnexpectedResponseError)
    oracle.faults.answer = () => ({ status: 301, body: {} })
    await expect(client.oracle()).rejects.toThrow('redirects to another address')
    oracle.faults.answer = () => ({ status: 502, body: 'bad gateway' })
    await expect(client.oracle()).rejects.toThrow('HTTP 502')
  })

  it('refuse an oracle with another DID before a token is sent', async () => {
    const expectedDid = createSigningKey().did
    const { client, oracle } = await start(answer, {}, { expectedDid })
    const error = await client.chat('hi').catch(reason => reason)
    expect(error).toBeInstanceOf(OracleMismatchError)
    expect(error).toMatchObject({ expected: expectedDid, found: [oracle.did, 'did:web:localhost'] })
    expect(oracle.requests.map(it => it.path)).toEqual(['/.well-known/oracle.json'])
  })

  it('refuse ids that would change the path', async () => {
    const { client } = await start()
    for (const id of ['..', '.', '', 'a/b', 'a b', 'x'.repeat(129)]) {
      await expect(client.sessions.get(id)).rejects.toThrow(InvalidIdentifierError)
      await expect(client.chat('hi', { sessionId: id })).rejects.toThrow(InvalidIdentifierError)
    }
  })

  it('keep the path below which an oracle is mounted', async () => {
    const seen: string[] = []
    const fetch: typeof globalThis.fetch = async url => {
      seen.push(String(url))
      return new Response(null, { status: 404 })
    }
    const client = createClient({ url: 'https://example.org/oracle/', signer: createSigningKey(), fetch })
    await expect(client.oracle()).rejects.toThrow(UnexpectedResponseError)
    expect(seen).toEqual(['https://example.org/oracle/.well-known/oracle.json'])
  })
})
