import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandError } from '../errors/command-error.ts'
import { parseJson } from '../home/parse-json.ts'
import { readCapped } from '../http/read-capped.ts'

interface MatrixRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The encoded path below `/_matrix/client`. */
  readonly path: string
  readonly body?: unknown
  readonly accessToken?: string
}

/** A response of a homeserver; its body is not validated yet. */
export interface MatrixAnswer {
  readonly status: number
  /** The error code of Matrix, such as `M_FORBIDDEN`, if any. */
  readonly errcode: string | undefined
  readonly body: unknown
}

/** The maximum size of a response, in bytes, and its timeout. */
const limits = { bytes: 1_000_000, milliseconds: 15_000 }

/** The maximum total wait for rate limits of the homeserver. */
const patienceMilliseconds = 60_000

const errorBody = z.object({
  errcode: z.string().regex(/^[A-Za-z0-9_.]{1,100}$/),
  retry_after_ms: z.number().min(0).optional().catch(undefined),
})

/** A Matrix homeserver, over plain requests. Each is capped, and retried after a rate limit. */
export class Homeserver {
  readonly url: string
  readonly #signal: AbortSignal | undefined
  #patience = patienceMilliseconds

  constructor(url: string, signal: AbortSignal | undefined) {
    this.url = url
    this.#signal = signal
  }

  /**
   * Sends a request and reads the response, for any status below 500.
   *
   * @throws `homeserver_unavailable`, or the reason of the signal
   */
  async request(request: MatrixRequest): Promise<MatrixAnswer> {
    for (;;) {
      const { response, body } = await this.#exchange(request)
      const { status } = response
      if (status >= 500) throw this.#unavailable(`has an internal error (${status})`)
      const error = status < 400 ? undefined : errorBody.safeParse(body).data
      if (status !== 429) return { status, errcode: error?.errcode, body }
      const wait = error?.retry_after_ms ?? secondsOf(response.headers.get('retry-after')) * 1_000
      if (wait > this.#patience) throw this.#tooManyRequests(wait)
      this.#patience -= Math.max(1_000, wait)
      await sleep(wait, undefined, this.#signal ? { signal: this.#signal } : {})
    }
  }

  /**
   * Parses the body of a successful response.
   *
   * @throws `bot_refused` for another status, `homeserver_unavailable` for an invalid body
   */
  read<Schema extends z.ZodType>(answer: MatrixAnswer, schema: Schema, doing: string): z.output<Schema> {
    if (answer.status >= 300) {
      const reason = answer.errcode ?? `status ${answer.status}`
      throw cliErrors.bot_refused(
        `The homeserver ${this.url} refuses ${doing} (${reason}).`,
        'Contact the administrator of the homeserver.',
      )
    }
    const body = schema.safeParse(answer.body)
    if (body.success) return body.data
    throw this.#unavailable(`returned an invalid Matrix response to the request ${doing}`)
  }

  async #exchange({ method, path, body, accessToken }: MatrixRequest) {
    const timeout = AbortSignal.timeout(limits.milliseconds)
    const signal = this.#signal ? AbortSignal.any([timeout, this.#signal]) : timeout
    try {
      const response = await fetch(`${this.url}/_matrix/client${path}`, {
        method,
        // A password must not follow a redirect.
        redirect: 'error',
        signal,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await readCapped(response, limits.bytes)
      if (text === undefined) throw this.#unavailable(`returned more than ${limits.bytes} bytes`)
      return { response, body: parseJson(text) }
    } catch (error) {
      if (cliErrors.homeserver_unavailable.is(error)) throw error
      this.#signal?.throwIfAborted()
      if (timeout.aborted) throw this.#unavailable(`did not respond within ${limits.milliseconds / 1_000} s`)
      throw this.#unavailable(`did not respond (${reasonOf(error)})`, error)
    }
  }

  #unavailable(what: string, cause?: unknown): CommandError {
    const message = `The homeserver ${this.url} ${what}.`
    return cliErrors.homeserver_unavailable(message, 'Check MATRIX_BASE_URL and the network, then try again.', {
      cause,
    })
  }

  #tooManyRequests(wait: number): CommandError {
    const message = `The homeserver ${this.url} rejects requests for another ${Math.ceil(wait / 1_000)} s.`
    return cliErrors.homeserver_unavailable(message, 'Try again then.')
  }
}

const secondsOf = (header: string | null): number => (header !== null && /^\d{1,9}$/.test(header) ? Number(header) : 5)

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return cause instanceof Error && /redirect/.test(cause.message) ? 'it redirects' : 'no connection'
}
