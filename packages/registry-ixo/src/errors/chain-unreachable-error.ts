import { ChainError } from './chain-error.ts'

/** No node of the chain answers at the address, or not in time; nothing was sent. */
export class ChainUnreachableError extends ChainError {
  readonly code = 'chain_unreachable'

  /**
   * @param host Of the address, without its path, which may hold a key.
   * @param reason `ECONNREFUSED`, `no answer within 10000 ms`
   */
  constructor(host: string, reason: string, options?: ErrorOptions) {
    super(
      `The chain's node at ${host} does not answer: ${reason}. Check the address, or name another node of the chain.`,
      options,
    )
  }
}
