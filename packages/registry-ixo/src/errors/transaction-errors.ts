import { ChainError } from './chain-error.ts'

/** The account that would sign is not on the chain, or has less than the fee. */
export class AccountUnfundedError extends ChainError {
  readonly code = 'chain_account_unfunded'
  /** The address that needs funds: `ixo1…`. */
  readonly address: string

  /** @param lack `is not there yet`, `has 10uixo, and the fee is 5000uixo` */
  constructor(address: string, chainId: string, lack: string, denom: string) {
    super(`The account ${address} on ${chainId} ${lack}. Send it some ${denom}, and try again.`)
    this.address = address
  }
}

/** The node asks for more gas than is allowed; nothing was signed. */
export class FeeTooHighError extends ChainError {
  readonly code = 'chain_fee_too_high'

  constructor(gas: number, maxGas: number) {
    super(`The node estimates ${gas} gas, and the limit is ${maxGas}. Raise maxGas if that is right.`)
  }
}

/** The journal entry of a key was changed; nothing was sent. */
export class InvalidJournalError extends ChainError {
  readonly code = 'chain_journal_invalid'

  constructor() {
    super(
      'The journal entry of the idempotency key was changed. Check whether the entity is already registered; if not, use a new key.',
    )
  }
}

/** The idempotency key came before, with another creation; nothing was sent. */
export class ReusedKeyError extends ChainError {
  readonly code = 'idempotency_key_reused'

  constructor() {
    super('The idempotency key was used for another creation, account or chain. Use a new one.')
  }
}

/** A transaction was sent, and is not found in a block in time: it may be there yet, or come later. */
export class TransactionPendingError extends ChainError {
  readonly code = 'chain_transaction_pending'
  /** SHA-256 of the transaction, upper-case hex, as explorers of the chain take it. */
  readonly hash: string

  /** @param remedy Effect of a repeated call. */
  constructor(chainId: string, hash: string, timeLimitMs: number, remedy: string, options?: ErrorOptions) {
    const reason = options?.cause instanceof Error ? ` (${options.cause.message})` : ''
    super(
      `The transaction ${hash} is not in a block of ${chainId} after ${timeLimitMs} ms${reason}. It may follow later. ${remedy}`,
      options,
    )
    this.hash = hash
  }
}

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

  /** @param stage Point at which it was rejected: `before it was sent`, `when it was sent`, `in a block` */
  constructor(chainId: string, stage: string, { chainCode, codespace, log }: ChainRefusal) {
    super(`${chainId} rejected the transaction ${stage} (${codespace || 'unknown'} ${chainCode}): ${log}`)
    this.chainCode = chainCode
    this.codespace = codespace
    this.log = log
  }
}
