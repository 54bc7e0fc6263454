import type { Fault } from '@sibyl/protocol'
import { ChainError } from './chain-error.ts'

/** The chain has no place for something that is to be registered or changed; nothing was sent. */
export class NotExpressibleError extends ChainError {
  readonly code = 'chain_not_expressible'
  /** Each of it, with its path. */
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(`The chain cannot keep all of this: ${faults.map(({ path, message }) => `${path} ${message}`).join('; ')}.`)
    this.faults = faults
  }
}
