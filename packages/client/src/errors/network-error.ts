import { ClientError } from './client-error.ts'

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
