import type { problemSchema } from '@sibyl/protocol'
import type * as z from 'zod'
import { ClientError } from './client-error.ts'

/** An id given to the client cannot name a session, a message, an approval, a delegation or an entity. */
export class InvalidIdentifierError extends ClientError {
  readonly code = 'invalid_identifier'

  /** @param expected The form of an id of that kind. */
  constructor(what: string, expected = '1 to 128 letters, digits or _ . : - and not only dots') {
    super(`The ${what} id is not valid: expected ${expected}.`)
  }
}

/** Nothing came back from the address: no connection, no name, no answer in time. `cause` has the platform's error. */
export class NetworkError extends ClientError {
  readonly code = 'network_failed'
  /** Origin and path that were asked. */
  readonly url: string
  /** The error of the platform: `ECONNREFUSED`. */
  readonly reason: string

  constructor(url: string, reason: string, options?: ErrorOptions) {
    super(`No response from ${url}: ${reason}.`, options)
    this.url = url
    this.reason = reason
  }
}

/** The address answers under another DID than the one that was expected. No token was sent. */
export class OracleMismatchError extends ClientError {
  readonly code = 'oracle_mismatch'
  /** The DID that was expected. */
  readonly expected: string
  /** The DIDs that the address gave. */
  readonly found: readonly string[]

  constructor(url: string, expected: string, found: readonly string[]) {
    super(`${url} is ${found.join(' and ')}, not ${expected}. If the oracle has a new key, expect the new DID.`)
    this.expected = expected
    this.found = found
  }
}

/** The oracle answered with a problem (RFC 9457). `code` is the oracle's own, such as `turn_running`. */
export class ProblemError extends ClientError {
  readonly code: string
  /** The HTTP status. */
  readonly status: number
  /** The whole answer. */
  readonly problem: z.infer<typeof problemSchema>
  /** Seconds to wait before another try, where the oracle said so. */
  readonly retryAfterSeconds: number | undefined

  constructor(problem: z.infer<typeof problemSchema>, retryAfterSeconds?: number) {
    super(problem.detail === undefined ? `${problem.title}.` : `${problem.title}: ${problem.detail}`)
    this.code = problem.code
    this.status = problem.status
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** An answer or one event of a stream is longer than the client takes. */
export class ResponseTooLargeError extends ClientError {
  readonly code = 'response_too_large'

  constructor(what: string, limit: number) {
    super(`${what} is longer than the limit of ${limit} characters.`)
  }
}

/** Something answered, but not as an oracle does: another service, or a proxy in between. */
export class UnexpectedResponseError extends ClientError {
  readonly code = 'unexpected_response'
  /** Origin and path that were asked. */
  readonly url: string
  /** The HTTP status; 0 where a browser hides it. */
  readonly status: number

  constructor(url: string, status: number, reason: string, options?: ErrorOptions) {
    super(`${url} did not respond like an oracle: ${reason}.`, options)
    this.url = url
    this.status = status
  }
}
