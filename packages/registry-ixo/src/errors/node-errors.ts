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
      `The chain node at ${host} does not respond: ${reason}. Check the address, or use another node of the chain.`,
      options,
    )
  }
}

/** A node answers, but not as one of a chain with the ixo modules does. */
export class InvalidAnswerError extends ChainError {
  readonly code = 'chain_answer_invalid'

  /** @param reason Without a value of the answer: `result.node_info.network is missing` */
  constructor(host: string, what: string, reason: string, options?: ErrorOptions) {
    super(
      `The node at ${host} returned an invalid response to ${what}: ${reason}. Check that it is a node of a chain with the ixo modules.`,
      options,
    )
  }
}

/** The node is one of another chain than expected; nothing was signed. */
export class WrongChainError extends ChainError {
  readonly code = 'chain_mismatch'

  constructor(host: string, found: string, expected: string) {
    super(`The node at ${host} belongs to the chain ${found}, not to ${expected}. Use a node of ${expected}.`)
  }
}
