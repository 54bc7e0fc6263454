import { ClientError } from './client-error.ts'

/** A stream broke and could not be taken up again. The turn may still go on: read the session later. */
export class ConnectionLostError extends ClientError {
  readonly code = 'connection_lost'
  readonly sessionId: string

  constructor(sessionId: string, reason: string, options?: ErrorOptions) {
    super(`The connection was lost: ${reason}. The messages so far are stored in the session.`, options)
    this.sessionId = sessionId
  }
}
