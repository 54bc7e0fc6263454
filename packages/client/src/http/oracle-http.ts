import { mintInvocation, type Signer } from '@sibyl/identity/browser'
import { type OracleRecord, oracleRecord } from '@sibyl/protocol'
import { NetworkError } from '../errors/network-error.ts'
import { OracleMismatchError } from '../errors/oracle-mismatch-error.ts'
import { readJson } from './read-json.ts'
import { responseError } from './response-error.ts'

/** What an invocation of this client may ask for. */
export type Ability = 'chat/send' | 'session/read' | 'session/delete'

/** One request to the oracle. */
export interface OracleRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the client's url, with its segments encoded: `/sessions/abc`. */
  readonly path: string
  /** The ability to invoke; public when missing. */
  readonly ability?: Ability
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** A status besides 2xx that is an answer as well. */
  readonly accept?: number
}

/** How to reach the oracle. */
export interface OracleHttpOptions {
  readonly url: URL
  readonly signer: Signer
  readonly fetch: typeof globalThis.fetch
  readonly expectedDid: string | undefined
  /** Milliseconds to wait for the head of an answer. */
  readonly responseTimeoutMs: number
}

const invocationLifetimeSeconds = 60

/** Sends requests to one oracle, each under a fresh invocation addressed to the DID that it gave at the first one. */
export class OracleHttp {
  readonly #options: OracleHttpOptions
  #record: Promise<OracleRecord> | undefined

  constructor(options: OracleHttpOptions) {
    this.#options = options
  }

  /**
   * The oracle's own description, fetched once.
   *
   * @throws OracleMismatchError (`oracle_mismatch`) when it is not the expected one
   */
  record(): Promise<OracleRecord> {
    this.#record ??= this.#discover().catch(error => {
      this.#record = undefined
      throw error
    })
    return this.#record
  }

  /** The header that proves who asks, minted anew: single use for everything but GET. */
  async authorization(ability: Ability): Promise<{ authorization: string }> {
    const record = await this.record()
    const audience = this.#options.expectedDid ?? record.did ?? record.publicDid
    const token = await mintInvocation({
      key: this.#options.signer,
      audience,
      resource: `oracle:${audience}`,
      abilities: [ability],
      lifetimeSeconds: invocationLifetimeSeconds,
    })
    return { authorization: `Bearer ${token}` }
  }

  /**
   * Sends one request.
   *
   * @returns an answer with a status of 2xx, or the one that was accepted besides
   * @throws NetworkError, ProblemError, UnexpectedResponseError, or the signal's reason
   */
  async send(request: OracleRequest): Promise<Response> {
    const { method, path, ability, body, signal } = request
    const { fetch, responseTimeoutMs } = this.#options
    signal?.throwIfAborted()
    const authorization = ability && (await this.authorization(ability))
    const url = this.#url(path)
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(), responseTimeoutMs)
    let response: Response
    try {
      response = await fetch(url, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...request.headers,
          ...authorization,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'manual',
        cache: 'no-store',
        signal: signal ? AbortSignal.any([signal, waiting.signal]) : waiting.signal,
      })
    } catch (error) {
      signal?.throwIfAborted()
      throw new NetworkError(url, waiting.signal.aborted ? 'no answer in time' : reasonOf(error), { cause: error })
    } finally {
      clearTimeout(timer)
    }
    if (response.ok || response.status === request.accept) return response
    throw await responseError(response)
  }

  async #discover(): Promise<OracleRecord> {
    const response = await this.send({ method: 'GET', path: '/.well-known/oracle.json' })
    const record = await readJson(response, oracleRecord)
    const { expectedDid } = this.#options
    const found = [record.did, record.publicDid].filter(did => did !== undefined)
    if (expectedDid !== undefined && !found.includes(expectedDid)) {
      throw new OracleMismatchError(this.#options.url.href, expectedDid, found)
    }
    return record
  }

  #url(path: string): string {
    const { origin, pathname } = this.#options.url
    return origin + pathname.replace(/\/+$/, '') + path
  }
}

/** The platform's word for it: Node puts the real error below `TypeError: fetch failed`. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'the request failed'
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
