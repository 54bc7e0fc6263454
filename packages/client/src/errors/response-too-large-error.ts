import { ClientError } from './client-error.ts'

/** An answer or one event of a stream is longer than the client takes. */
export class ResponseTooLargeError extends ClientError {
  readonly code = 'response_too_large'

  constructor(what: string, limit: number) {
    super(`${what} is longer than the limit of ${limit} characters.`)
  }
}
