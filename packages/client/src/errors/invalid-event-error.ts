import { ClientError } from './client-error.ts'

/** A chat stream carried something that its protocol does not know. */
export class InvalidEventError extends ClientError {
  readonly code = 'invalid_event'

  constructor(reason: string, options?: ErrorOptions) {
    super(`The chat stream is not valid: ${reason}.`, options)
  }
}
