import { ChainError } from './chain-error.ts'

/** The chain has no entity of that DID. */
export class EntityMissingError extends ChainError {
  readonly code = 'entity_not_found'

  constructor(did: string, chainId: string) {
    super(`${chainId} has no entity ${did}. Check the DID, and that it is of this chain.`)
  }
}
