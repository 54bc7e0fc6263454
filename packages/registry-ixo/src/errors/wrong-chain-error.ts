import { ChainError } from './chain-error.ts'

/** The node is one of another chain than expected; nothing was signed. */
export class WrongChainError extends ChainError {
  readonly code = 'chain_mismatch'

  constructor(host: string, found: string, expected: string) {
    super(`The node at ${host} belongs to the chain ${found}, and ${expected} is expected. Name a node of ${expected}.`)
  }
}
