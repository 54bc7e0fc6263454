import { ChainError } from './chain-error.ts'

/** The entity has changed since the state that a change is made from; nothing was sent. */
export class StaleEtagError extends ChainError {
  readonly code = 'etag_stale'

  constructor(did: string) {
    super(`${did} has changed since it was read. Read it again, and change what is there now.`)
  }
}
