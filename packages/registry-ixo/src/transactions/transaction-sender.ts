import { createHash } from 'node:crypto'
import type { ChainAccount, UnsignedTransaction } from '../account/chain-account.ts'
import { ChainError } from '../errors/chain-error.ts'
import {
  AccountUnfundedError,
  type ChainRefusal,
  FeeTooHighError,
  TransactionPendingError,
  TransactionRefusedError,
} from '../errors/transaction-errors.ts'
import type { ChainMessage } from '../messages/chain-message.ts'
import type { MessageCodec } from '../messages/message-codec.ts'
import type { ChainNode, IncludedTransaction } from '../rpc/chain-node.ts'
import type { ChainQueries } from '../rpc/chain-queries.ts'
import type { CallTime } from './call-time.ts'
import { feeFor, type GasPrice } from './gas-price.ts'

/** A transaction that may be sent as often as needed: the chain takes it once. */
export interface SignedTransaction {
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes, upper-case hex. */
  readonly hash: string
  /** The number of transactions that the account had signed before. */
  readonly sequence: number
}

/** The outcome of a transaction: in a block; rejected permanently; or pending, with a reason. */
export type Settlement =
  | { readonly state: 'included'; readonly transaction: IncludedTransaction }
  | { readonly state: 'superseded' }
  | { readonly state: 'refused'; readonly stage: string; readonly refusal: ChainRefusal }

export interface SenderOptions {
  readonly node: ChainNode
  readonly queries: ChainQueries
  readonly codec: MessageCodec
  readonly account: ChainAccount
  readonly chainId: string
  readonly gasPrice: GasPrice
  readonly maxGas: number
  readonly pollIntervalMs: number
}

/** Signs transactions, sends them, and waits until the chain has settled them. */
export class TransactionSender {
  readonly #options: SenderOptions

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /**
   * Signs messages as the account's next transaction. Its gas is what a simulation takes and two fifths more.
   *
   * @throws AccountUnfundedError, FeeTooHighError, TransactionRefusedError where the chain would refuse it
   */
  async sign(messages: readonly ChainMessage[], { signal }: CallTime): Promise<SignedTransaction> {
    const { account, chainId, codec, queries, gasPrice, maxGas } = this.#options
    const state = await queries.account(account.address, signal)
    const { denom } = gasPrice
    if (!state) throw new AccountUnfundedError(account.address, chainId, 'does not exist yet', denom)
    const { number: accountNumber, sequence } = state
    const draft: UnsignedTransaction = {
      body: codec.encodeBody(messages),
      chainId,
      accountNumber,
      sequence,
      gas: maxGas,
      fee: { amount: '0', denom },
    }
    const simulation = await queries.simulate(account.withoutSignature(draft), signal)
    if ('refusal' in simulation) throw new TransactionRefusedError(chainId, 'before it was sent', simulation.refusal)
    const gas = Math.ceil(simulation.gas * 1.4)
    if (gas > maxGas) throw new FeeTooHighError(gas, maxGas)
    const fee = feeFor(gas, gasPrice)
    const balance = await queries.balance(account.address, denom, signal)
    if (balance < BigInt(fee.amount)) {
      const lack = `has ${balance}${denom}, and the fee is ${fee.amount}${denom}`
      throw new AccountUnfundedError(account.address, chainId, lack, denom)
    }
    const bytes = await account.sign({ ...draft, gas, fee })
    return { bytes, hash: createHash('sha256').update(bytes).digest('hex').toUpperCase(), sequence }
  }

  /**
   * Sends a transaction until the node has it, and waits until the chain has settled it. An answer that is lost or broken
   * leads to another try: the same bytes are never taken twice.
   *
   * @param remedy What a repeat does, for the error.
   * @throws TransactionPendingError (`chain_transaction_pending`) when the time is over, the signal's reason
   */
  async settle(signed: SignedTransaction, time: CallTime, remedy: string): Promise<Settlement> {
    const { chainId, pollIntervalMs } = this.#options
    const progress: Progress = { sent: false }
    for (;;) {
      try {
        const settlement = await this.#check(signed, progress, time.signal)
        if (settlement) return settlement
      } catch (error) {
        if (!time.signal.aborted && !(error instanceof ChainError)) throw error
        if (error instanceof ChainError) progress.failure = error
      }
      try {
        await time.pause(pollIntervalMs)
      } catch (error) {
        if (!time.isOver()) throw error
        const { failure } = progress
        throw new TransactionPendingError(chainId, signed.hash, time.limitMs, remedy, failure && { cause: failure })
      }
    }
  }

  /** Sends and settles; what the chain refuses is thrown. @returns undefined when another took its place in the sequence */
  async send(signed: SignedTransaction, time: CallTime, remedy: string): Promise<IncludedTransaction | undefined> {
    const settlement = await this.settle(signed, time, remedy)
    if (settlement.state === 'refused')
      throw new TransactionRefusedError(this.#options.chainId, settlement.stage, settlement.refusal)
    return settlement.state === 'included' ? settlement.transaction : undefined
  }

  /** One round: send it if need be, and see what became of it. */
  async #check(signed: SignedTransaction, progress: Progress, signal: AbortSignal): Promise<Settlement | undefined> {
    const { node } = this.#options
    let refusal: ChainRefusal | undefined
    if (!progress.sent) {
      refusal = await node.broadcast(signed.bytes, signal)
      progress.sent = refusal === undefined
    }
    const transaction = await node.transaction(signed.hash, signal)
    if (transaction?.refusal) return { state: 'refused', stage: 'in a block', refusal: transaction.refusal }
    if (transaction) return { state: 'included', transaction }
    return refusal && this.#judge(signed, refusal, signal)
  }

  /**
   * Interprets a rejection for a transaction that is not found. If its sequence number is used, the transaction itself
   * may have used it, in a node whose index is behind: only another transaction with that number proves that it failed.
   */
  async #judge(signed: SignedTransaction, refusal: ChainRefusal, signal: AbortSignal): Promise<Settlement | undefined> {
    const { node, queries, account } = this.#options
    const state = await queries.account(account.address, signal)
    if (state && state.sequence > signed.sequence) {
      const spender = await node.spender(account.address, signed.sequence, signal)
      return spender === undefined || spender === signed.hash ? undefined : { state: 'superseded' }
    }
    if (refusal.codespace === 'sdk' && refusal.chainCode === wrongSequence) return undefined
    return { state: 'refused', stage: 'when it was sent', refusal }
  }
}

interface Progress {
  sent: boolean
  failure?: ChainError
}

/** `ErrWrongSequence` of the Cosmos SDK: with the sequence still free, others of the account wait before it. */
const wrongSequence = 32
