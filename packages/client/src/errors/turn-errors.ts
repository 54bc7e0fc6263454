import { ClientError } from './client-error.ts'

interface ConnectionLostOptions extends ErrorOptions {
  /** Whether an event of the stream arrived. @default true */
  readonly hasBegun?: boolean
}

/**
 * A stream broke and could not be taken up again. The turn may still go on: read the session later. If the stream never began,
 * the oracle may not have the message: send it again under the same id, which runs it once.
 */
export class ConnectionLostError extends ClientError {
  readonly code = 'connection_lost'
  readonly sessionId: string

  constructor(sessionId: string, reason: string, { hasBegun = true, ...options }: ConnectionLostOptions = {}) {
    super(
      hasBegun
        ? `The connection was lost: ${reason}. The messages so far are stored in the session.`
        : `The oracle did not respond: ${reason}. It may not have the message; send it again.`,
      options,
    )
    this.sessionId = sessionId
  }
}

/** A chat stream carried something that its protocol does not know. */
export class InvalidEventError extends ClientError {
  readonly code = 'invalid_event'

  constructor(reason: string, options?: ErrorOptions) {
    super(`The chat stream is not valid: ${reason}.`, options)
  }
}

/** A turn ended with an `error` event. `code` is the oracle's own, such as `model_failed`. */
export class TurnFailedError extends ClientError {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}
