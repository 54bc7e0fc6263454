import type { Mnemonic } from '@sibyl/identity'
import type { Journal } from './transactions/journal.ts'

export interface IxoRegistryOptions {
  /** A node's RPC of Tendermint or CometBFT: `https://rpc.example.org`. */
  readonly rpcUrl: string | URL
  /** The mnemonic of the account that signs and pays. */
  readonly mnemonic: Mnemonic
  /** The chain that the node must belong to; before anything is signed for another, it is refused. @default any */
  readonly chainId?: string
  /** The DID of the operator through which entities are registered; the chain must know it. @default the account's DID */
  readonly relayerNode?: string | undefined
  /** The gas price. @default '0.025uixo' */
  readonly gasPrice?: string | undefined
  /** The most gas of one transaction, whatever the node says. @default 5000000 */
  readonly maxGas?: number
  /** Where signed creations are kept by their idempotency key. @default in memory */
  readonly journal?: Journal
  /** Milliseconds of one call, with the wait for its block. @default 60000 */
  readonly timeLimitMs?: number
  /** Milliseconds to wait for one answer of the node. @default 10000 */
  readonly requestTimeoutMs?: number
  /** Milliseconds between two looks for a transaction. @default 1000 */
  readonly pollIntervalMs?: number
  /** Ends what runs, with its reason. @default never */
  readonly signal?: AbortSignal | undefined
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch
}
