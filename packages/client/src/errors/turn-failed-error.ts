import { ClientError } from './client-error.ts'

/** A turn ended with an `error` event. `code` is the oracle's own, such as `model_failed`. */
export class TurnFailedError extends ClientError {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}
