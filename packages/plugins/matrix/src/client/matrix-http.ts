import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import {
  MatrixAnswerTooLong,
  MatrixBusy,
  MatrixRefused,
  MatrixTokenRefused,
  MatrixUnavailable,
} from '../matrix-errors.ts'
import { readCapped } from './read-capped.ts'

/** A request of the client-server API of Matrix (v1.11). */
export interface MatrixCall {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Behind `/_matrix/client`, encoded. */
  readonly path: string
  readonly body?: unknown
  readonly token?: string
  /** How long the answer may take, in milliseconds. @default 20_000 */
  readonly limitMs?: number
  /** The most that the answer may hold, in bytes. @default 1_000_000 */
  readonly mostBytes?: number
  readonly signal?: AbortSignal
}

const errorBody = z.object({
  errcode: z.string().regex(/^[A-Za-z0-9_.]{1,100}$/),
  retry_after_ms: z.number().min(0).max(86_400_000).optional().catch(undefined),
})

/** Requests of one homeserver: capped in size and time, without redirects. After a 429 all of them wait as it says. */
export class MatrixHttp {
  readonly #baseUrl: string
  #busyUntil = 0

  /** @param baseUrl Its address, without a path of the API. */
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '')
  }

  /**
   * Sends a request and gives back the JSON of the answer, which is not checked yet.
   *
   * @throws MatrixUnavailable, MatrixBusy, MatrixTokenRefused, MatrixRefused, or the signal's reason
   */
  async request(call: MatrixCall): Promise<unknown> {
    const wait = this.#busyUntil - performance.now()
    if (wait > 0) await sleep(Math.min(wait, 300_000), undefined, call.signal ? { signal: call.signal } : {})
    const { status, retryAfter, text } = await this.#exchange(call)
    if (status >= 500) throw new MatrixUnavailable(`has an error of its own (status ${status})`)
    if (status >= 300 && status < 400) throw new MatrixUnavailable('sends elsewhere, which is not followed')
    const json = parsed(text)
    if (status < 300) {
      if (json === undefined) throw new MatrixUnavailable('answers with something that is not JSON')
      return json
    }
    const error = errorBody.safeParse(json).data
    if (status === 429) throw this.#busy(error?.retry_after_ms ?? retryAfterMs(retryAfter))
    if (status === 401 || error?.errcode === 'M_UNKNOWN_TOKEN' || error?.errcode === 'M_MISSING_TOKEN') {
      throw new MatrixTokenRefused()
    }
    throw new MatrixRefused(status, error?.errcode)
  }

  #busy(waitMs: number): MatrixBusy {
    this.#busyUntil = Math.max(this.#busyUntil, performance.now() + waitMs)
    return new MatrixBusy(waitMs)
  }

  async #exchange({ method, path, body, token, limitMs = 20_000, mostBytes = 1_000_000, signal }: MatrixCall) {
    const limit = AbortSignal.timeout(limitMs)
    try {
      const response = await fetch(`${this.#baseUrl}/_matrix/client${path}`, {
        method,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([limit, signal]) : limit,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await readCapped(response, mostBytes)
      if (text === undefined) throw new MatrixAnswerTooLong(mostBytes)
      return { status: response.status, retryAfter: response.headers.get('retry-after'), text }
    } catch (error) {
      if (error instanceof MatrixUnavailable) throw error
      signal?.throwIfAborted()
      if (limit.aborted) throw new MatrixUnavailable(`does not answer within ${limitMs / 1_000} s`)
      throw new MatrixUnavailable(`does not answer (${reasonOf(error)})`, { cause: error })
    }
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `Retry-After` of RFC 9110: seconds or a date. */
const retryAfterMs = (header: string | null): number => {
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
