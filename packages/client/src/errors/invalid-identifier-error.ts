import { ClientError } from './client-error.ts'

/** An id given to the client cannot name a session, a message, an approval, a delegation or an entity. */
export class InvalidIdentifierError extends ClientError {
  readonly code = 'invalid_identifier'

  /** @param expected The form of an id of that kind. */
  constructor(what: string, expected = '1 to 128 letters, digits or _ . : - and not only dots') {
    super(`The ${what} id is not valid: expected ${expected}.`)
  }
}
