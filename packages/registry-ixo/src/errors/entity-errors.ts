import type { Violation } from '@sibyl/protocol'
import { ChainError } from './chain-error.ts'

/** The entity is out of use and does not change any more; nothing was sent. */
export class DeactivatedEntityError extends ChainError {
  readonly code = 'entity_deactivated'

  constructor(did: string) {
    super(`${did} is deactivated. Register a new one.`)
  }
}

export class EntityMissingError extends ChainError {
  readonly code = 'entity_not_found'

  constructor(did: string, chainId: string) {
    super(`${chainId} has no entity ${did}. Check the DID and its chain.`)
  }
}

/** The entity or the change is invalid; nothing was sent. */
export class InvalidEntityError extends ChainError {
  readonly code = 'entity_invalid'
  /** The errors, with their paths. */
  readonly faults: readonly Violation[]

  constructor(violations: readonly Violation[]) {
    super(`The entity is invalid: ${violations.map(({ path, message }) => `${path || 'it'} ${message}`).join('; ')}.`)
    this.faults = violations
  }
}

/** The account has no say over the entity; nothing was sent. */
export class NotControllerError extends ChainError {
  readonly code = 'not_controller'

  constructor(did: string, accountDid: string) {
    super(`${accountDid} is not a controller of ${did}. Use the mnemonic that registered it.`)
  }
}

/** The chain has no place for something that is to be registered or changed; nothing was sent. */
export class NotExpressibleError extends ChainError {
  readonly code = 'chain_not_expressible'
  /** Each of it, with its path. */
  readonly faults: readonly Violation[]

  constructor(violations: readonly Violation[]) {
    super(
      `The chain cannot store all of this: ${violations.map(({ path, message }) => `${path} ${message}`).join('; ')}.`,
    )
    this.faults = violations
  }
}

/** The entity has changed since the state that a change is made from; nothing was sent. */
export class StaleEtagError extends ChainError {
  readonly code = 'etag_stale'

  constructor(did: string) {
    super(`${did} has changed since it was read. Read it again, then repeat the change.`)
  }
}
