import { ChainError } from './chain-error.ts'

/** A node answers, but not as one of a chain with the ixo modules does. */
export class InvalidAnswerError extends ChainError {
  readonly code = 'chain_answer_invalid'

  /** @param reason Without a value of the answer: `result.node_info.network is missing` */
  constructor(host: string, what: string, reason: string, options?: ErrorOptions) {
    super(
      `The node at ${host} answers ${what} in a way that is not understood: ${reason}. Check that it is a node of a chain with the ixo modules.`,
      options,
    )
  }
}
