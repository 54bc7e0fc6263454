import { ClientError } from './client-error.ts'

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
