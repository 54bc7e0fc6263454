import { z } from 'zod'
import { ChainUnreachableError, InvalidAnswerError } from '../errors/node-errors.ts'
import type { ChainRefusal } from '../errors/transaction-errors.ts'
import { cleanLog } from './clean-log.ts'
import type { RpcClient } from './rpc-client.ts'

/** The response to a query: bytes of protobuf, or the reason of a failure. */
export type QueryAnswer =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly notFound: boolean; readonly refusal: ChainRefusal }

/** A transaction in a block. */
export interface IncludedTransaction {
  /** SHA-256 of the transaction, upper-case hex. */
  readonly hash: string
  /** Why it failed there; undefined where it did what it says. */
  readonly refusal: ChainRefusal | undefined
  /** The answers of its messages, a `TxMsgData`. */
  readonly data: Uint8Array
}

/**
 * One node of a chain, by its RPC. Every method throws `ChainUnreachableError`, `InvalidAnswerError`, or the reason of the
 * signal.
 */
export class ChainNode {
  readonly #client: RpcClient

  constructor(client: RpcClient) {
    this.#client = client
  }

  get host(): string {
    return this.#client.host
  }

  /** The id of the node's chain: `pandora-8`. */
  async chainId(signal: AbortSignal): Promise<string> {
    const answer = await this.#client.call('status', {}, statusAnswer, signal)
    if (!answer.ok) throw this.#invalid('status', answer.message)
    const { node_info, sync_info } = answer.result
    if (sync_info.catching_up) throw new ChainUnreachableError(this.host, 'it is behind the chain and still syncing')
    return node_info.network
  }

  /** @param path Of a gRPC service: `/cosmos.bank.v1beta1.Query/Balance` */
  async query(path: string, data: Uint8Array, signal: AbortSignal): Promise<QueryAnswer> {
    const params = { path, data: Buffer.from(data).toString('hex'), height: '0', prove: false }
    const answer = await this.#client.call('abci_query', params, queryAnswer, signal)
    if (!answer.ok) throw this.#invalid(path, answer.message)
    const { code, codespace, log, value } = answer.result.response
    if (code === 0) return { ok: true, value }
    const notFound = (codespace === 'sdk' && code === keyNotFound) || /NotFound|not found/i.test(log.slice(0, 2_000))
    return { ok: false, notFound, refusal: { chainCode: code, codespace, log: cleanLog(log) } }
  }

  /** Sends a signed transaction. @returns why the node does not take it; undefined where it does */
  async broadcast(bytes: Uint8Array, signal: AbortSignal): Promise<ChainRefusal | undefined> {
    const tx = Buffer.from(bytes).toString('base64')
    const answer = await this.#client.call('broadcast_tx_sync', { tx }, broadcastAnswer, signal)
    if (!answer.ok) {
      if (/already (exists )?in .*cache/i.test(answer.message)) return undefined
      throw this.#invalid('broadcast_tx_sync', answer.message)
    }
    const { code, codespace, log } = answer.result
    if (code === 0 || (codespace === 'sdk' && code === inMempoolCache)) return undefined
    return { chainCode: code, codespace, log: cleanLog(log) }
  }

  /** A transaction in a block; undefined where the node knows of none. */
  async transaction(hash: string, signal: AbortSignal): Promise<IncludedTransaction | undefined> {
    const params = { hash: Buffer.from(hash, 'hex').toString('base64'), prove: false }
    const answer = await this.#client.call('tx', params, transactionAnswer, signal)
    if (!answer.ok) {
      if (/not found/i.test(answer.message)) return undefined
      throw this.#invalid('tx', answer.message)
    }
    const found = included(answer.result)
    if (found.hash !== hash) throw this.#invalid('tx', 'it returned another transaction')
    return found
  }

  /**
   * The hash of the transaction, in a block, that an account signed with a sequence; undefined where the node knows of
   * none. There is never a second one.
   */
  async spender(address: string, sequence: number, signal: AbortSignal): Promise<string | undefined> {
    const query = `tx.acc_seq='${address}/${sequence}'`
    const params = { query, prove: false, page: '1', per_page: '1', order_by: 'asc' }
    const answer = await this.#client.call('tx_search', params, searchAnswer, signal)
    if (!answer.ok) throw this.#invalid('tx_search', answer.message)
    return answer.result.txs[0]?.hash.toUpperCase()
  }

  #invalid(what: string, reason: string): InvalidAnswerError {
    return new InvalidAnswerError(this.host, what, reason)
  }
}

/** `ErrKeyNotFound` and `ErrTxInMempoolCache` of the Cosmos SDK. */
const keyNotFound = 22
const inMempoolCache = 19

const included = ({ hash, tx_result }: ReturnType<typeof transactionAnswer.parse>): IncludedTransaction => {
  const { code, codespace, log, data } = tx_result
  const refusal = code === 0 ? undefined : { chainCode: code, codespace, log: cleanLog(log) }
  return { hash: hash.toUpperCase(), refusal, data }
}

const base64 = z
  .string()
  .nullish()
  .transform(text => Buffer.from(text ?? '', 'base64'))

/** A number that JSON of Tendermint has as text. */
const count = z.union([z.string().regex(/^\d{1,15}$/), z.int().nonnegative()]).transform(Number)

/** `status` */
const statusAnswer = z.object({
  node_info: z.object({ network: z.string().regex(/^[\w.-]{1,50}$/) }),
  sync_info: z.object({ catching_up: z.boolean() }),
})

/** `abci_query` */
const queryAnswer = z.object({
  response: z.object({
    code: z.int().default(0),
    codespace: z.string().max(100).default(''),
    log: z.string().default(''),
    value: base64,
  }),
})

/** `broadcast_tx_sync` */
const broadcastAnswer = z.object({
  code: z.int().default(0),
  codespace: z.string().max(100).default(''),
  log: z.string().default(''),
})

/** `tx`, and each of `tx_search` */
const transactionAnswer = z.object({
  hash: z.string().regex(/^[0-9A-Fa-f]{64}$/),
  height: count,
  tx_result: z.object({
    code: z.int().default(0),
    codespace: z.string().max(100).default(''),
    log: z.string().default(''),
    data: base64,
  }),
})

/** `tx_search` */
const searchAnswer = z.object({ txs: z.array(transactionAnswer).max(10) })
