import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSigningKey, createVerifier } from '@sibyl/identity'
import { approvalDecision, chatRequest } from '@sibyl/protocol'
import type * as z from 'zod'
import { health, json, problem, readBody, record, summaryOf } from './scripted-answers.ts'
import { type RunningTurn, type ScriptedEvent, ScriptedStream, type StreamFailures } from './scripted-stream.ts'

/** What a script learns of the turn it plays. */
export interface ScriptedTurn {
  readonly sessionId: string
  readonly turnId: string
  /** What the person said, last. */
  readonly text: string
  /** Aborts when the turn is stopped. */
  readonly stopped: AbortSignal
  /** Set when the turn goes on after an approval question. */
  readonly decided?: z.infer<typeof approvalDecision> & { readonly approvalId: string }
}

/** Plays a turn: its events, the final one included. */
export type Script = (turn: ScriptedTurn) => Iterable<ScriptedEvent> | AsyncIterable<ScriptedEvent>

/** What goes wrong on the way; may be changed while the oracle runs. */
export interface Failures extends StreamFailures {
  /** So many `POST` are taken in, and their connection cut before an answer. */
  lostPosts?: number
  /** Answers a request instead of the oracle; `undefined` lets it through. */
  answer?: (request: { method: string; path: string }) => { status: number; body: unknown } | undefined
}

/** A request as it came in. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly lastEventId: string | undefined
  /** The DID that signed the invocation. */
  readonly issuer: string | undefined
  readonly body: unknown
}

/** A running scripted oracle. */
export interface ScriptedOracle {
  readonly url: string
  readonly did: string
  readonly faults: Failures
  readonly requests: readonly ReceivedRequest[]
  /** How many turns were started. */
  turnsStarted(): number
  close(): Promise<void>
}

interface Session {
  readonly id: string
  readonly owner: string
  readonly turnOfMessage: Map<string, RunningTurn>
  text: string
  turn?: RunningTurn
}

interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly issuer: string
  readonly body: unknown
  readonly params: readonly string[]
}

/**
 * Starts a server on loopback that speaks an oracle's chat protocol and plays a script instead of running a model. It
 * checks tokens as an oracle does, each for its ability and for one use; sessions belong to their DID.
 *
 * @param script Plays every turn.
 * @param failures What goes wrong on the way.
 *
 * @example
 * const oracle = await startScriptedOracle(sayHello, { cutStream: connection => (connection === 0 ? 3 : undefined) })
 */
export const startScriptedOracle = async (script: Script, failures: Failures = {}): Promise<ScriptedOracle> => {
  const key = createSigningKey()
  const resource = `oracle:${key.did}`
  const verifier = createVerifier({ audience: [key.did], rootIssuers: () => ({ access: 'open' }) })
  const usedTokens = new Set<string>()
  const sessions = new Map<string, Session>()
  const requests: ReceivedRequest[] = []
  const streams = new ScriptedStream(failures)
  let started = 0

  const play = (session: Session, decided?: ScriptedTurn['decided']): RunningTurn => {
    started += 1
    const turn = streams.begin(`turn-${started}`)
    session.turn = turn
    const { id: sessionId, text } = session
    const scripted = {
      sessionId,
      turnId: turn.turnId,
      text,
      stopped: turn.stop.signal,
      ...(decided ? { decided } : {}),
    }
    void streams.play(turn, script(scripted))
    return turn
  }

  const sessionOf = ({ issuer, params, response }: Call): Session | undefined => {
    const session = sessions.get(params[0] ?? '')
    if (session?.owner === issuer) return session
    problem(response, 404, 'session_not_found')
    return undefined
  }

  const chat = (call: Call) => {
    const { id = 'none', message } = chatRequest.parse(call.body)
    if (typeof message !== 'object') return problem(call.response, 400, 'invalid_request')
    const session = sessions.get(id) ?? {
      id,
      owner: call.issuer,
      turnOfMessage: new Map<string, RunningTurn>(),
      text: '',
    }
    if (session.owner !== call.issuer) return problem(call.response, 404, 'session_not_found')
    sessions.set(id, session)
    const known = session.turnOfMessage.get(message.id ?? '')
    if (!known && session.turn?.ended === false) return problem(call.response, 409, 'turn_running')
    if (!known) session.text = message.parts.map(part => ('text' in part ? String(part.text) : '')).join('')
    const turn = known ?? play(session)
    session.turnOfMessage.set(message.id ?? '', turn)
    streams.send(call.response, turn, 0)
  }

  const stream = (call: Call) => {
    const session = sessionOf(call)
    if (!session) return
    const after = Number(call.request.headers['last-event-id']?.toString().split(':').at(-1) ?? 0)
    if (!session.turn || (after === 0 && session.turn.ended)) return call.response.writeHead(204).end()
    streams.send(call.response, session.turn, after)
  }

  const routes: readonly [string, RegExp, string | undefined, (call: Call) => unknown][] = [
    ['POST', /^\/chat$/, 'chat/send', chat],
    ['GET', /^\/chat\/([^/]+)\/stream$/, 'chat/send', stream],
    [
      'POST',
      /^\/chat\/([^/]+)\/stop$/,
      'chat/send',
      call => {
        sessionOf(call)?.turn?.stop.abort()
        if (!call.response.headersSent) call.response.writeHead(204).end()
      },
    ],
    [
      'POST',
      /^\/chat\/([^/]+)\/approvals\/([^/]+)$/,
      'chat/send',
      call => {
        const session = sessionOf(call)
        if (!session) return
        const approvalId = call.params[1] ?? ''
        const decision = approvalDecision.parse(call.body)
        if (approvalId === 'first-of-two') return json(call.response, 202, { waiting: ['second-of-two'] })
        const known = session.turnOfMessage.get(approvalId)
        const turn = known ?? play(session, { approvalId, ...decision })
        session.turnOfMessage.set(approvalId, turn)
        streams.send(call.response, turn, 0)
      },
    ],
    [
      'GET',
      /^\/sessions$/,
      'session/read',
      ({ response, issuer }) =>
        json(response, 200, { sessions: [...sessions.values()].filter(it => it.owner === issuer).map(summaryOf) }),
    ],
    [
      'GET',
      /^\/sessions\/([^/]+)$/,
      'session/read',
      call => {
        const session = sessionOf(call)
        if (session) json(call.response, 200, { ...summaryOf(session), messages: [] })
      },
    ],
    [
      'DELETE',
      /^\/sessions\/([^/]+)$/,
      'session/delete',
      call => {
        const session = sessionOf(call)
        if (session) sessions.delete(session.id)
        if (session) call.response.writeHead(204).end()
      },
    ],
    ['GET', /^\/capabilities$/, 'session/read', ({ response }) => json(response, 200, { capabilities: [] })],
    ['GET', /^\/health$/, undefined, ({ response }) => json(response, 200, health())],
    ['GET', /^\/\.well-known\/oracle\.json$/, undefined, ({ response }) => json(response, 200, record(key.did))],
  ]

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url: path = '/' } = request
    const body = await readBody(request)
    const issuer = await issuerOf(request)
    const lastEventId = request.headers['last-event-id']?.toString()
    requests.push({ method, path, lastEventId, issuer, body })
    const instead = failures.answer?.({ method, path })
    if (instead) return json(response, instead.status, instead.body)
    const route = routes.find(([itsMethod, pattern]) => itsMethod === method && pattern.test(path))
    if (!route) return problem(response, 404, 'not_found')
    const [, pattern, ability, handle] = route
    if (ability !== undefined && !(await mayUse(request, ability))) return problem(response, 401, 'ucan_invalid')
    const params = (pattern.exec(path) ?? []).slice(1).map(decodeURIComponent)
    const lost = method === 'POST' && (failures.lostPosts ?? 0) > 0
    if (lost) failures.lostPosts = (failures.lostPosts ?? 0) - 1
    handle({ request, response: lost ? streams.nowhere(response) : response, issuer: issuer ?? '', body, params })
    if (lost) request.socket.destroy()
  }

  const tokenOf = (request: IncomingMessage) => request.headers.authorization?.replace(/^Bearer /, '') ?? ''
  const issuerOf = async (request: IncomingMessage) => {
    for (const ability of ['chat/send', 'session/read', 'session/delete']) {
      const verdict = await verifier.verify(tokenOf(request), { resource, ability })
      if (verdict.ok) return verdict.invocation.issuer
    }
    return undefined
  }
  const mayUse = async (request: IncomingMessage, ability: string) => {
    const verdict = await verifier.verify(tokenOf(request), { resource, ability })
    if (!verdict.ok) return false
    const used = usedTokens.has(verdict.invocation.hash)
    usedTokens.add(verdict.invocation.hash)
    return request.method === 'GET' || !used
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    did: key.did,
    faults: failures,
    requests,
    turnsStarted: () => started,
    close: () => close(server),
  }
}

const close = (server: Server) =>
  new Promise<void>(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
