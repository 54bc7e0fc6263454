import {
  type approvalDecision,
  authSchemas,
  type CapabilityRecord,
  type ChatMessage,
  capabilityRecord,
  type clientTool,
  healthRecord,
  type JsonValue,
  type OracleRecord,
  sessionRecord,
  sessionSummary,
} from '@sibyl/protocol'
import * as z from 'zod'
import { type ApiKeys, makeApiKeys } from './api-keys.ts'
import { type Bearers, makeBearers } from './bearers.ts'
import { type ChatTurn, startTurn } from './chat/chat-turn.ts'
import { defaultReconnectPolicy, type ReconnectPolicy } from './chat/reconnect-policy.ts'
import { Retries, type TurnOptions } from './chat/retries.ts'
import type { ClientOptions } from './client-options.ts'
import type { Ability } from './credentials/credentials.ts'
import { type Delegations, makeDelegations } from './delegations.ts'
import { NetworkError, ProblemError } from './errors/request-errors.ts'
import { InvalidEventError } from './errors/turn-errors.ts'
import { OracleHttp, type OracleRequest } from './http/oracle-http.ts'
import { pathSegment } from './http/path-segment.ts'
import { randomId } from './http/random-id.ts'
import { readJson } from './http/read-json.ts'
import { makeSignIns, type SignIns } from './sign-ins.ts'

/** A tool that the client runs, as it is sent. */
export type ClientToolInput = z.input<typeof clientTool>
export type SessionSummary = z.infer<typeof sessionSummary>

export type SessionRecord = z.infer<typeof sessionRecord>
export type RevocationRecord = z.infer<typeof authSchemas.revocationRecord>
export type RevocationRequest = z.infer<typeof authSchemas.revocationRequest>

/** Options of a message. */
export interface ChatOptions extends TurnOptions {
  /** The session to go on with. @default a new one */
  readonly sessionId?: string | undefined
  /** Names the message: sent twice under one id it is one message and one turn. @default the message's own, or a new one */
  readonly messageId?: string | undefined
  /** A message of the user that this one replaces, with everything after it; it keeps its id. */
  readonly replaces?: string | undefined
  /** Tools that the caller runs; the oracle's model may call them. Give them with each message of the session. */
  readonly clientTools?: readonly ClientToolInput[] | undefined
}

/** Options of a repeated answer. */
export interface RegenerateOptions extends TurnOptions, Pick<ChatOptions, 'clientTools'> {
  /** The answer. @default the last */
  readonly messageId?: string | undefined
}

/** Options for reading a session. */
export interface SessionReadOptions {
  /** Only the messages after the one of this id; all of them where the session has none of it. @default all */
  readonly after?: string | undefined
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined
}

/** A person's answer to an approval question. */
export type Decision = z.infer<typeof approvalDecision>['decision']

/** A typed client of one oracle. */
export interface OracleClient {
  /** The address it was made with. */
  readonly url: string
  /** Returns the record of the oracle: fetched once, and from then on the audience of every invocation. */
  oracle(): Promise<OracleRecord>
  /**
   * Sends a message and opens the turn's stream. A message whose answer never arrived is sent again under the same id,
   * a stream that breaks is taken up where it broke.
   *
   * @param message A text, or a message in the AI SDK's form.
   * @throws ProblemError with the oracle's code (`turn_running`, `model_not_configured`, ...), NetworkError,
   * ConnectionLostError, UnexpectedResponseError, OracleMismatchError, InvalidIdentifierError, and
   * InvalidMintRequestError of `@sibyl/identity` where the client's proofs do not allow it
   *
   * @example
   * const turn = await client.chat('What is the weather in Berlin?')
   * for await (const { event } of turn.events) if (event.type === 'text-delta') process.stdout.write(event.delta)
   */
  chat(message: string | ChatMessage, options?: ChatOptions): Promise<ChatTurn>
  /** Repeats an answer. */
  regenerate(sessionId: string, options?: RegenerateOptions): Promise<ChatTurn>
  /**
   * Reads along with a turn that runs, from its first event on, or after the one given.
   *
   * @returns undefined when no turn runs, or nothing is left after the event
   */
  resume(sessionId: string, options?: TurnOptions & { readonly after?: string }): Promise<ChatTurn | undefined>
  /** Stops the turn that runs in a session. */
  stop(sessionId: string): Promise<void>
  /**
   * Answers an approval question.
   *
   * @param options `data`: what the tool asked the person for
   * @returns the turn as it goes on, or the ids of the questions that it still waits for
   */
  decide(
    sessionId: string,
    approvalId: string,
    decision: Decision,
    options?: TurnOptions & { readonly data?: JsonValue | undefined; readonly reason?: string | undefined },
  ): Promise<ChatTurn | { readonly waiting: readonly string[] }>
  readonly sessions: {
    /** The sessions of the caller. */
    list(): Promise<SessionSummary[]>
    /** Returns a session with its messages. */
    get(sessionId: string, options?: SessionReadOptions): Promise<SessionRecord>
    delete(sessionId: string): Promise<void>
  }
  readonly bearers: Bearers
  readonly delegations: Delegations
  readonly apiKeys: ApiKeys
  readonly signIns: SignIns
  /**
   * Has the oracle refuse a UCAN from now on.
   *
   * @param revocation The token and the statement that `signRevocation` of `@sibyl/identity` makes for it.
   */
  revoke(revocation: RevocationRequest): Promise<RevocationRecord>
  /** Returns the capabilities of the oracle. */
  capabilities(): Promise<CapabilityRecord[]>
  /** Returns the health of the oracle; a degraded one is not an error. */
  health(): Promise<z.infer<typeof healthRecord>>
  /** Headers that authorise one request made by other means, such as the AI SDK's own transport. */
  headers(ability?: Ability): Promise<Record<string, string>>
}

const sessionList = z.object({ sessions: z.array(sessionSummary) })
const capabilityList = z.object({ capabilities: z.array(capabilityRecord) })
/** A request in answer to which the agent acts for the caller. */
const acting = { method: 'POST', ability: 'chat/send', uses: 'agent' } as const
const waitingList = z.object({ waiting: z.array(z.string()) })

/**
 * Makes a client. Nothing is sent until it is used, and no credential before the oracle has said who it is.
 *
 * @throws TypeError when the url is not one
 *
 * @example
 * const client = createClient({ url: 'http://localhost:3000', signer: createSigningKey() })
 * const service = createClient({ url: 'https://oracle.example', token: process.env.ORACLE_API_KEY ?? '' })
 */
export const createClient = (options: ClientOptions): OracleClient => {
  const url = new URL(options.url)
  const policy: ReconnectPolicy = { ...defaultReconnectPolicy, ...options.reconnect }
  const http = new OracleHttp({
    url,
    credentials: options,
    fetch: options.fetch ?? globalThis.fetch,
    expectedDid: options.expectedDid,
    responseTimeoutMs: policy.idleTimeoutMs,
  })
  const read = async <Value>(schema: z.ZodType<Value>, request: Partial<OracleRequest> & { path: string }) =>
    readJson(await http.send({ method: 'GET', ability: 'session/read', ...request }), schema)
  const chatPath = (sessionId: string) => `/chat/${pathSegment('session', sessionId)}`

  const stop = async (sessionId: string) => {
    const path = `${chatPath(sessionId)}/stop`
    try {
      const response = await http.send({ method: 'POST', path, ability: 'chat/send' })
      await response.body?.cancel()
    } catch (error) {
      // A session without a message yet has nothing to stop.
      if (!(error instanceof ProblemError && error.code === 'session_not_found')) throw error
    }
  }

  const readAlong = async (sessionId: string, after: string | undefined, signal: AbortSignal | undefined) => {
    const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': after }
    const path = `${chatPath(sessionId)}/stream`
    const response = await http.send({ method: 'GET', path, ability: 'chat/send', headers, signal })
    return response.status === 204 ? undefined : response
  }

  const start = async (sessionId: string, turn: TurnOptions, open: () => Promise<Response | undefined>) => {
    // A refused connection is reported immediately; only a later interruption is retried.
    await http.record()
    return startTurn(
      { sessionId, open, resume: after => readAlong(sessionId, after, turn.signal), policy, options: turn },
      () => stop(sessionId),
    )
  }

  const startPosted = async (sessionId: string, turn: TurnOptions, open: () => Promise<Response | undefined>) => {
    const started = await start(sessionId, turn, open)
    if (!started) throw new InvalidEventError('it has no event')
    return started
  }

  return {
    url: url.href.replace(/\/$/, ''),
    oracle: () => http.record(),

    async chat(message, { sessionId = randomId(), replaces, messageId = replaces, clientTools, ...turn } = {}) {
      pathSegment('session', sessionId)
      const named: ChatMessage =
        typeof message === 'string'
          ? { id: messageId ?? randomId(), role: 'user', parts: [{ type: 'text', text: message }] }
          : { ...message, id: messageId ?? message.id ?? randomId() }
      const body = { id: sessionId, message: named, messageId: replaces, clientTools }
      return startPosted(sessionId, turn, () => http.send({ ...acting, path: '/chat', body, signal: turn.signal }))
    },

    async regenerate(sessionId, { messageId, clientTools, ...turn } = {}) {
      pathSegment('session', sessionId)
      const body = { id: sessionId, trigger: 'regenerate-message', messageId, clientTools }
      let sent = false
      return startPosted(sessionId, turn, () => {
        if (sent) return readAlong(sessionId, undefined, turn.signal)
        sent = true
        return http.send({ ...acting, path: '/chat', body, signal: turn.signal })
      })
    },

    resume: async (sessionId, { after, ...turn } = {}) =>
      start(sessionId, turn, () => readAlong(sessionId, after, turn.signal)),

    stop,

    async decide(sessionId, approvalId, decision, { data, reason, ...turn } = {}) {
      const path = `${chatPath(sessionId)}/approvals/${pathSegment('approval', approvalId)}`
      const body = { decision, data, reason }
      const post = () => http.send({ ...acting, path, body, signal: turn.signal })
      const retries = new Retries(sessionId, policy, turn)
      await http.record()
      let first: Response | undefined
      while (!first) {
        first = await post().catch(async error => {
          if (!(error instanceof NetworkError)) throw error
          await retries.failed(error)
          return undefined
        })
      }
      if (first.status === 202) return readJson(first, waitingList)
      const opened = [first]
      return startPosted(sessionId, turn, async () => opened.pop() ?? post())
    },

    sessions: {
      list: async () => (await read(sessionList, { path: '/sessions' })).sessions,
      async get(sessionId, { after, signal } = {}) {
        const query = after === undefined ? '' : `?${new URLSearchParams({ after })}`
        const path = `/sessions/${pathSegment('session', sessionId)}${query}`
        return read(sessionRecord, { path, uses: 'files', signal })
      },
      async delete(sessionId) {
        const path = `/sessions/${pathSegment('session', sessionId)}`
        const response = await http.send({ method: 'DELETE', path, ability: 'session/delete' })
        await response.body?.cancel()
      },
    },

    bearers: makeBearers(http),
    delegations: makeDelegations(http),
    apiKeys: makeApiKeys(http),
    signIns: makeSignIns(http),
    revoke: async revocation =>
      readJson(
        await http.send({ method: 'POST', path: '/revocations', body: revocation }),
        authSchemas.revocationRecord,
      ),
    capabilities: async () => (await read(capabilityList, { path: '/capabilities' })).capabilities,
    async health() {
      const response = await http.send({ method: 'GET', path: '/health', accept: 503 })
      return readJson(response, healthRecord)
    },
    headers: (ability = 'chat/send') => http.authorization(ability, ability === 'chat/send' ? 'agent' : undefined),
  }
}
