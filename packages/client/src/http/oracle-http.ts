import { authSchemas, type OracleRecord, oracleRecord, parseJson, problemSchema } from '@sibyl/protocol'
import type * as z from 'zod'
import { bearerHeader } from '../credentials/bearer-header.ts'
import type { ClientCredentials } from '../credentials/client-credentials.ts'
import type { Ability, Credentials, UsedRights } from '../credentials/credentials.ts'
import { exchangedCredentials, sessionScopes } from '../credentials/exchanged-credentials.ts'
import { givenCredentials } from '../credentials/given-credentials.ts'
import {
  addressOf,
  chatClaims,
  type Invoker,
  invocationCredentials,
  mintFor,
} from '../credentials/invocation-credentials.ts'
import type { ClientError } from '../errors/client-error.ts'
import { NetworkError, OracleMismatchError, ProblemError, UnexpectedResponseError } from '../errors/request-errors.ts'
import { acrossRestore } from './across-restore.ts'
import { readJson } from './read-json.ts'
import { readText } from './read-text.ts'

export type BearerRecord = z.infer<typeof authSchemas.bearerRecord>
export type BearerRequest = z.infer<typeof authSchemas.bearerRequest>

/** One request to the oracle. */
export interface OracleRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the client's url, with its segments encoded: `/sessions/abc`. */
  readonly path: string
  /** The ability that the caller's credentials must give; none are sent when missing. */
  readonly ability?: Ability
  /** Signs an invocation for these abilities, also if the client exchanges; without a key, the token is sent. */
  readonly signs?: readonly string[]
  readonly uses?: UsedRights | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** A status besides 2xx that is an answer as well. */
  readonly accept?: number
}

/** Options of the connection to the oracle. */
export interface OracleHttpOptions {
  readonly url: URL
  readonly credentials: ClientCredentials
  readonly fetch: typeof globalThis.fetch
  readonly expectedDid: string | undefined
  /** Milliseconds to wait for the head of an answer. */
  readonly responseTimeoutMs: number
}

/** Sends requests to one oracle, under the caller's credentials and only after it has said who it is. */
export class OracleHttp {
  readonly #options: OracleHttpOptions
  readonly #credentials: Credentials
  /** Undefined without a key. */
  readonly #invoker: Invoker | undefined
  #record: Promise<OracleRecord> | undefined
  /** The time by which invocations begin later, in milliseconds. */
  #aheadMs = 0

  constructor(options: OracleHttpOptions) {
    const { credentials, expectedDid } = options
    this.#options = options
    if (!credentials.signer) {
      this.#credentials = givenCredentials(credentials.token)
      return
    }
    const { signer, proofs, impersonate, chatAbilities, exchange } = credentials
    const now = () => Date.now() + this.#aheadMs
    this.#invoker = { signer, proofs, impersonate, chatAbilities, expectedDid, now }
    this.#credentials = exchange ? exchangedCredentials(() => this.exchange()) : invocationCredentials(this.#invoker)
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

  /** Returns the authorization header; an invocation in it is for one use, except for a GET. */
  async authorization(ability: Ability, uses?: UsedRights): Promise<{ authorization: string }> {
    const oracle = await this.record()
    return bearerHeader(await this.#credentials.tokenFor(ability, oracle, uses))
  }

  /** Returns the header with an invocation for several abilities; without a key, with the token. */
  async #signed(abilities: readonly string[]): Promise<{ authorization: string }> {
    const oracle = await this.record()
    if (!this.#invoker) return this.authorization('auth/token')
    return bearerHeader(await mintFor(this.#invoker, await addressOf(this.#invoker, oracle), abilities))
  }

  /**
   * Exchanges an invocation for a bearer.
   *
   * @param request What it may do. @default what this client does
   */
  async exchange(request: BearerRequest = {}): Promise<BearerRecord> {
    const oracle = await this.record()
    const response = await this.#acrossRestore(async () => {
      const address = this.#invoker && (await addressOf(this.#invoker, oracle))
      const chat = address ? chatClaims(this.#invoker, address) : ['chat/send']
      const scopes = request.scopes ?? [...chat, ...sessionScopes]
      const headers = address
        ? bearerHeader(await mintFor(this.#invoker, address, ['auth/token', ...scopes]))
        : await this.authorization('auth/token')
      return this.#sendOnce({ method: 'POST', path: '/auth/token', headers, body: { ...request, scopes } })
    })
    return readJson(response, authSchemas.bearerRecord)
  }

  /**
   * Sends one request; again if the oracle rejects a bearer that can be renewed, or restored its database.
   *
   * @returns a response with a status of 2xx, or an accepted one
   * @throws NetworkError, ProblemError, UnexpectedResponseError, or the reason of the signal
   */
  send(request: OracleRequest): Promise<Response> {
    return this.#acrossRestore(() => this.#sendRenewed(request))
  }

  #acrossRestore(send: () => Promise<Response>): Promise<Response> {
    return acrossRestore(aheadMs => {
      this.#aheadMs = aheadMs
      return send()
    })
  }

  async #sendRenewed(request: OracleRequest): Promise<Response> {
    try {
      return await this.#sendOnce(request)
    } catch (error) {
      const lost = error instanceof ProblemError && error.code === 'bearer_invalid' && request.ability !== undefined
      if (!lost || !this.#credentials.renew()) throw error
      return this.#sendOnce(request)
    }
  }

  async #sendOnce(request: OracleRequest): Promise<Response> {
    const { method, path, ability, signs, uses, body, signal } = request
    const { fetch, responseTimeoutMs } = this.#options
    signal?.throwIfAborted()
    const authorization = signs ? await this.#signed(signs) : ability && (await this.authorization(ability, uses))
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
      throw new NetworkError(url, waiting.signal.aborted ? 'no response in time' : reasonOf(error), { cause: error })
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

const maxProblemCharacters = 100_000

/** Makes the typed error of an answer that is not a success, and reads its body to the end. */
const responseError = async (response: Response): Promise<ClientError> => {
  const { status, url } = response
  if (status === 0 || (status >= 300 && status < 400)) {
    await response.body?.cancel()
    const target = response.headers.get('location')
    return new UnexpectedResponseError(
      url,
      status,
      target ? `it redirects to ${target}; use that address` : 'it redirects to another address',
    )
  }
  const text = await readText(response, maxProblemCharacters)
  const problem = problemSchema.safeParse(parseJson(text))
  if (!problem.success) return new UnexpectedResponseError(url, status, `HTTP ${status} without a problem document`)
  return new ProblemError(problem.data, retryAfterSeconds(response))
}

const retryAfterSeconds = (response: Response): number | undefined => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}
