import type { Fault } from '@sibyl/protocol'
import { ChainError } from './chain-error.ts'

/** What is to be registered or changed is not as an entity is; nothing was sent. */
export class InvalidEntityError extends ChainError {
  readonly code = 'entity_invalid'
  /** Each fault, with its path. */
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(`This is no entity: ${faults.map(({ path, message }) => `${path || 'it'} ${message}`).join('; ')}.`)
    this.faults = faults
  }
}
