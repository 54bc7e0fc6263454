import { InvalidIdentifierError, NetworkError, ProblemError, UnexpectedResponseError } from '@sibyl/client'
import {
  bearerHeader,
  OracleHttp,
  type OracleRequest,
  pause,
  randomId,
  readJson,
  reconnectDelay,
} from '@sibyl/client/requests'
import { didText } from '@sibyl/protocol'
import {
  type EntityCreation,
  type EntityPatch,
  type EntityRegistry,
  entityRecord,
  type RegisteredEntity,
} from '../records/index.ts'
import type { HttpRegistryOptions, RepeatPolicy } from './http-registry-options.ts'

/** A request to the registry, before it has a credential. */
interface RegistryRequest extends Pick<OracleRequest, 'method' | 'path' | 'body' | 'headers'> {
  /** @default entities/write */
  readonly ability?: 'entities/read'
  /** Whether sending it twice does what sending it once does. */
  readonly safe: boolean
}

const defaultPolicy: RepeatPolicy = { tries: 4, firstDelayMs: 200, maxDelayMs: 2_000 }
const defaultTimeLimitMs = 30_000
const defaultResponseTimeoutMs = 10_000
/** An entity has 100,000 of its own, besides its credentials and relationships. */
const maxEntityCharacters = 4_000_000

/**
 * Entities of any node that serves `POST /v1/entities`, such as an oracle with the entities plugin or a devnet.
 *
 * Reads are retried when the connection is lost or the node is busy, and so are creations, which have an idempotency
 * key: repeated requests create one entity. Changes of an entity are sent once; if the response is lost, `get` shows
 * whether they were made.
 *
 * Every call throws `ProblemError` with the code of the registry (`entity_invalid` with `issues`, `etag_stale`,
 * `not_controller`, …), `NetworkError`, `UnexpectedResponseError`, `OracleMismatchError`, `ResponseTooLargeError`, and
 * `InvalidIdentifierError` for an invalid DID.
 *
 * @example const registry = new HttpRegistry({ url: 'http://localhost:4100', apiKey: process.env.REGISTRY_API_KEY ?? ''
 * }) const { entity } = await registry.create({ type: 'CookStove', properties: { serial: 'A-17' } })
 */
export class HttpRegistry implements EntityRegistry {
  /** Where the registry is, without a slash at the end. */
  readonly url: string
  readonly #options: HttpRegistryOptions
  readonly #http: OracleHttp
  readonly #policy: RepeatPolicy

  /** @throws TypeError when the url is not one */
  constructor(options: HttpRegistryOptions) {
    const url = new URL(options.url)
    this.url = url.href.replace(/\/$/, '')
    this.#options = options
    this.#policy = { ...defaultPolicy, ...options.repeat }
    this.#http = new OracleHttp({
      url,
      credentials: options.signer ? options : { token: options.apiKey },
      fetch: options.fetch ?? globalThis.fetch,
      expectedDid: options.expectedDid,
      responseTimeoutMs: options.responseTimeoutMs ?? defaultResponseTimeoutMs,
    })
  }

  /**
   * Registers an entity.
   *
   * @param options.idempotencyKey The same key and body again give the same entity, for a day. @default a random one
   */
  create(creation: EntityCreation, options: { readonly idempotencyKey?: string } = {}): Promise<RegisteredEntity> {
    const headers = { 'idempotency-key': options.idempotencyKey ?? randomId() }
    return this.#send({ method: 'POST', path: '/v1/entities', body: creation, headers, safe: true })
  }

  /** An entity; undefined where the registry knows none of that DID. */
  async get(did: string): Promise<RegisteredEntity | undefined> {
    try {
      return await this.#send({ method: 'GET', path: pathOf(did), ability: 'entities/read', safe: true })
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'entity_not_found') return undefined
      throw error
    }
  }

  /** Changes an entity, as its controller. @param etag the state that the change is made from */
  async update(did: string, patch: EntityPatch, etag: string): Promise<RegisteredEntity> {
    const headers = { 'if-match': etag }
    return this.#send({ method: 'PATCH', path: pathOf(did), body: patch, headers, safe: false })
  }

  /** Takes an entity out of use, as its controller. @param etag the state that it is taken out of use from */
  async deactivate(did: string, etag: string): Promise<RegisteredEntity> {
    const headers = { 'if-match': etag }
    return this.#send({ method: 'DELETE', path: pathOf(did), headers, safe: false })
  }

  #send(request: RegistryRequest): Promise<RegisteredEntity> {
    const timeLimitMs = this.#options.timeLimitMs ?? defaultTimeLimitMs
    const signal = AbortSignal.timeout(timeLimitMs)
    return repeatRequest({ safe: request.safe, policy: this.#policy, timeLimitMs, signal }, async () => {
      try {
        return await this.#sendOnce(request, signal)
      } catch (error) {
        if (!signal.aborted || error !== signal.reason) throw error
        throw new NetworkError(this.url + request.path, `no response within ${timeLimitMs} ms`, { cause: error })
      }
    })
  }

  async #sendOnce(request: RegistryRequest, signal: AbortSignal): Promise<RegisteredEntity> {
    const { method, path, body, headers, ability = 'entities/write' } = request
    const caller = await this.#caller(ability)
    const sent = { ...caller, headers: { ...headers, ...caller.headers } }
    const response = await this.#http.send({ method, path, body, ...sent, signal })
    const entity = await readJson(response, entityRecord, maxEntityCharacters)
    const etag = response.headers.get('etag')
    if (etag === null) throw new UnexpectedResponseError(response.url, response.status, 'the entity has no ETag')
    return { entity, etag }
  }

  /** A key goes to whatever answers at the address, unless a DID is expected; what is signed needs to know whom it is for. */
  async #caller(ability: string): Promise<Pick<OracleRequest, 'signs' | 'headers'>> {
    const { apiKey, expectedDid } = this.#options
    if (apiKey === undefined || expectedDid !== undefined) return { signs: [ability] }
    return { headers: bearerHeader(typeof apiKey === 'string' ? apiKey : await apiKey()) }
  }
}

const pathOf = (did: string): string => {
  if (!didText.safeParse(did).success) throw new InvalidIdentifierError('entity', 'a DID such as did:web:example.org')
  return `/v1/entities/${encodeURIComponent(did)}`
}

/** One request, as far as repeating it goes. */
interface Repeatable {
  /** Whether sending it twice does what sending it once does. */
  readonly safe: boolean
  readonly policy: RepeatPolicy
  /** Time limit of the whole call, in milliseconds; no retry waits longer. */
  readonly timeLimitMs: number
  /** Aborts when they are over. */
  readonly signal: AbortSignal
}

/**
 * Sends a request until it is answered or there is no use in another try. What cannot be sent twice is repeated only where
 * it was turned away at the door.
 *
 * @param send Makes one try, under a fresh credential.
 * @throws the error of the last try
 */
const repeatRequest = async <Result>(request: Repeatable, send: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      if (attempt > request.policy.tries || !mayRepeat(error, request.safe)) throw error
      const asked = error instanceof ProblemError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
      const delay = Math.max(asked, reconnectDelay(request.policy, attempt))
      if (delay > request.timeLimitMs) throw error
      await pause(delay, request.signal).catch(() => {
        throw error
      })
    }
  }
}

const passing = new Set([502, 503, 504])

const mayRepeat = (error: unknown, safe: boolean): boolean => {
  if (error instanceof ProblemError) {
    if (error.status === 429) return true
    return safe && error.status === 503 && error.retryAfterSeconds !== undefined
  }
  if (error instanceof UnexpectedResponseError) return safe && passing.has(error.status)
  return safe && error instanceof NetworkError
}
