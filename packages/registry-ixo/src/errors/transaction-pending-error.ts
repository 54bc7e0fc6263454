import { ChainError } from './chain-error.ts'

/** A transaction was sent, and is not found in a block in time: it may be there yet, or come later. */
export class TransactionPendingError extends ChainError {
  readonly code = 'chain_transaction_pending'
  /** SHA-256 of the transaction, upper-case hex, as explorers of the chain take it. */
  readonly hash: string

  /** @param remedy What a repeat does. */
  constructor(chainId: string, hash: string, timeLimitMs: number, remedy: string, options?: ErrorOptions) {
    const reason = options?.cause instanceof Error ? ` (${options.cause.message})` : ''
    super(
      `The transaction ${hash} is not in a block of ${chainId} after ${timeLimitMs} ms${reason}. It may come later. ${remedy}`,
      options,
    )
    this.hash = hash
  }
}
