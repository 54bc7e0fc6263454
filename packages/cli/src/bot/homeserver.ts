import { setTimeout as sleep } from 'node:timers/promises'
import type { MatrixHttp } from '@sibyl/bundle'
import { isOracleError } from '@sibyl/plugin'
import { parseJson } from '@sibyl/protocol'
import type { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandError } from '../errors/command-error.ts'

interface MatrixRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The encoded path below `/_matrix/client`. */
  readonly path: string
  readonly body?: unknown
  readonly accessToken?: string
}

/** A response of a homeserver; its body is not validated yet. */
export interface MatrixReply {
  readonly status: number
  /** The error code of Matrix, such as `M_FORBIDDEN`, if any. */
  readonly errcode: string | undefined
  readonly body: unknown
}

/** The maximum total wait for rate limits of the homeserver. */
const patienceMilliseconds = 60_000

/** A Matrix homeserver, whose requests are retried after a rate limit. */
export class Homeserver {
  readonly url: string
  readonly #signal: AbortSignal | undefined
  #http: MatrixHttp | undefined
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
  async request(request: MatrixRequest): Promise<MatrixReply> {
    for (;;) {
      const { status, errcode, retryAfterMs: wait, body } = await this.#exchange(request)
      if (status !== 429) return { status, errcode, body: parseJson(new TextDecoder().decode(body)) }
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
  read<Schema extends z.ZodType>(reply: MatrixReply, schema: Schema, doing: string): z.output<Schema> {
    if (reply.status >= 300) {
      const reason = reply.errcode ?? `status ${reply.status}`
      throw cliErrors.bot_refused(
        `The homeserver ${this.url} refuses ${doing} (${reason}).`,
        'Contact the administrator of the homeserver.',
      )
    }
    const body = schema.safeParse(reply.body)
    if (body.success) return body.data
    throw this.#unavailable(`returned an invalid Matrix response to the request ${doing}`)
  }

  async #exchange({ accessToken, ...request }: MatrixRequest): ReturnType<MatrixHttp['exchange']> {
    try {
      this.#http ??= new (await import('@sibyl/bundle')).MatrixHttp(this.url)
      return await this.#http.exchange({ ...request, token: accessToken, limitMs: 15_000, signal: this.#signal })
    } catch (error) {
      if (!isOracleError(error)) throw error
      throw this.#unavailable(`${error.facts.what ?? `returned more than ${error.facts.mostBytes} bytes`}`, error)
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
