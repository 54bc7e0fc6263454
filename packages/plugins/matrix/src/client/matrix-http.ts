import { bodyErrors, isOracleError, type OracleError, pause, readBody, withTimeout } from '@sibyl/plugin'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { matrixErrors } from './matrix-errors.ts'

/** A request of the client-server API of Matrix (v1.11). */
export interface MatrixCall {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Path below `/_matrix/client`, encoded. */
  readonly path: string
  /** `media` for the media API of homeservers before v1.11. @default 'client' */
  readonly api?: 'client' | 'media'
  readonly body?: unknown
  readonly token?: string | undefined
  /** Time limit of the response, in milliseconds. @default 20_000 */
  readonly limitMs?: number
  /** Maximum size of the response, in bytes. @default 1_000_000 */
  readonly maxBytes?: number
  readonly signal?: AbortSignal | undefined
}

const errorBody = z.object({
  errcode: z.string().regex(/^[A-Za-z0-9_.]{1,100}$/),
  retry_after_ms: z.number().min(0).max(86_400_000).optional().catch(undefined),
})

/** Body of a response that requires the password again (Matrix v1.11, "User-Interactive Authentication API"). */
const interactive = z.object({ flows: z.array(z.unknown()), session: z.string().max(1_000).optional() })

/**
 * Sends requests to one homeserver: limited in size and time, without redirects. After a 429 all requests wait as
 * requested.
 */
export class MatrixHttp {
  readonly #baseUrl: string
  #busyUntil = 0

  /** @param baseUrl Its URL, without a path of the API. */
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '')
  }

  /**
   * Sends a request and returns the unvalidated JSON of the response.
   *
   * @throws `matrix_unavailable`, `matrix_busy`, `matrix_token_refused`, `matrix_refused`, or the signal's reason
   */
  async request(call: MatrixCall): Promise<unknown> {
    const json = parsed(await this.download(call))
    if (json === undefined) throw unavailable('returned a response that is not JSON')
    return json
  }

  /**
   * Sends a request and returns the bytes of the answer.
   *
   * @throws as `request`
   */
  async download(call: MatrixCall): Promise<Uint8Array> {
    const wait = this.#busyUntil - performance.now()
    if (wait > 0) await pause(Math.min(wait, 300_000), call.signal)
    const { status, body, errcode, retryAfterMs } = await this.exchange(call)
    if (status < 300) return body
    if (status === 429) throw this.#busy(retryAfterMs)
    const { data: challenge } = interactive.safeParse(parsed(body))
    if (status === 401 && challenge && errcode !== 'M_UNKNOWN_TOKEN') {
      const facts = { reason: errcode ?? 'password needed', answerStatus: status, session: challenge.session }
      throw matrixErrors.matrix_refused({ reason: facts.reason }, { facts })
    }
    if (status === 401 || errcode === 'M_UNKNOWN_TOKEN' || errcode === 'M_MISSING_TOKEN') {
      throw matrixErrors.matrix_token_refused()
    }
    const reason = errcode ?? `status ${status}`
    throw matrixErrors.matrix_refused({ reason }, { facts: { reason, answerStatus: status } })
  }

  #busy(waitMs: number): OracleError {
    this.#busyUntil = Math.max(this.#busyUntil, performance.now() + waitMs)
    return matrixErrors.matrix_busy({ seconds: Math.ceil(waitMs / 1_000) }, { facts: { retryAfterMs: waitMs } })
  }

  /** Sends a request and returns the response, for any status below 500 but redirects. @throws `matrix_unavailable` */
  async exchange(call: MatrixCall) {
    const { limitMs = 20_000, maxBytes = 1_000_000, signal } = call
    const late = () => unavailable(`did not respond within ${limitMs / 1_000} s`)
    const limits = { timeoutMs: limitMs, signal, error: late }
    const sent = withTimeout(limit => this.#send(call, maxBytes, limit), limits)
    const { status, retryAfter, body } = await sent.catch((error: unknown) => {
      signal?.throwIfAborted()
      if (bodyErrors.response_too_large.is(error)) throw matrixErrors.matrix_answer_too_long({ mostBytes: maxBytes })
      throw isOracleError(error) ? error : unavailable(`did not respond (${reasonOf(error)})`, error)
    })
    if (status >= 500) throw unavailable(`has an internal error (status ${status})`)
    if (status >= 300 && status < 400) throw unavailable('redirects elsewhere, which is not followed')
    const { errcode, retry_after_ms } = (status < 400 ? undefined : errorBody.safeParse(parsed(body)).data) ?? {}
    return { status, body, errcode, retryAfterMs: retry_after_ms ?? readRetryAfter(retryAfter) }
  }

  async #send({ method, path, body, token, api = 'client' }: MatrixCall, maxBytes: number, signal: AbortSignal) {
    const response = await fetch(`${this.#baseUrl}/_matrix/${api}${path}`, {
      method,
      redirect: 'manual',
      signal,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const received = await readBody(response, { maxBytes })
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: received }
  }
}

const unavailable = (what: string, cause?: unknown): OracleError =>
  matrixErrors.matrix_unavailable({ what }, cause === undefined ? {} : { cause })

const parsed = (body: Uint8Array): unknown => parseJson(new TextDecoder().decode(body))

/** Parses `Retry-After` of RFC 9110: seconds or a date. */
const readRetryAfter = (header: string | null): number => {
  if (header === null) return 2_000
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1_000
  const date = Date.parse(header)
  return Number.isNaN(date) ? 2_000 : Math.min(Math.max(0, date - Date.now()), 86_400_000)
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause && /^\w{1,60}$/.test(String(cause.code))
    ? String(cause.code)
    : 'no connection'
}
