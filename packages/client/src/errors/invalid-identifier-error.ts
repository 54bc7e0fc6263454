import { ClientError } from './client-error.ts'

/** An id given to the client cannot name a session, a message, an approval or a delegation. */
export class InvalidIdentifierError extends ClientError {
  readonly code = 'invalid_identifier'

  constructor(what: string) {
    super(`The ${what} id is not valid: expected 1 to 128 letters, digits or _ . : - and not only dots.`)
  }
}
