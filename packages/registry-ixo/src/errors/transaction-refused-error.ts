import { ChainError } from './chain-error.ts'

/** Why the chain refuses a transaction, as it says itself. */
export interface ChainRefusal {
  /** The code of the chain, together with `codespace`. */
  readonly chainCode: number
  /** The module that refuses: `sdk`, `iid`, `entity`. */
  readonly codespace: string
  /** In the chain's words, cleaned and cut. */
  readonly log: string
}

/** The chain took the transaction for wrong: nothing changed there but, where it was in a block, the fee. */
export class TransactionRefusedError extends ChainError implements ChainRefusal {
  readonly code = 'chain_transaction_refused'
  readonly chainCode: number
  readonly codespace: string
  readonly log: string

  /** @param stage What had happened to it: `before it was sent`, `when it was sent`, `in a block` */
  constructor(chainId: string, stage: string, { chainCode, codespace, log }: ChainRefusal) {
    super(`${chainId} refused the transaction ${stage} (${codespace || 'unknown'} ${chainCode}): ${log}`)
    this.chainCode = chainCode
    this.codespace = codespace
    this.log = log
  }
}
