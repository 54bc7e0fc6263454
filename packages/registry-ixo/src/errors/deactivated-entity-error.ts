import { ChainError } from './chain-error.ts'

/** The entity is out of use and does not change any more; nothing was sent. */
export class DeactivatedEntityError extends ChainError {
  readonly code = 'entity_deactivated'

  constructor(did: string) {
    super(`${did} is out of use. Register a new one.`)
  }
}
