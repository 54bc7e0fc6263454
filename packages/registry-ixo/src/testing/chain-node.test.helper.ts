import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Document, Entity } from './chain-records.test.helper.ts'

/** What goes wrong with an answer: it is lost after the work is done, cut before, half sent, never sent, or something else. */
export interface NodeFailure {
  readonly method: string
  /** Of `abci_query`. @default any */
  readonly path?: string
  readonly kind: 'lose' | 'cut' | 'half' | 'silence' | 'text' | 'status' | 'redirect' | 'result' | 'error' | 'huge'
  /** The body, the result as JSON, or the error's data. */
  readonly text?: string
  /** @default 1 */
  readonly times?: number
}

/** What the node is told to do. */
export type NodeCommand =
  | { readonly do: 'reset'; readonly chainId?: string; readonly oldAnswers?: boolean; readonly catchingUp?: boolean }
  | { readonly do: 'fund'; readonly address: string; readonly amount: string; readonly vesting?: string }
  | { readonly do: 'fail'; readonly faults: readonly NodeFailure[] }
  /** Another wallet takes the next place in the account's sequence. */
  | { readonly do: 'spend'; readonly address: string }
  /** It forgets what it has passed on. */
  | { readonly do: 'restart' }
  /** What was to go wrong goes right. */
  | { readonly do: 'heal' }
  /** Other software writes into a document. */
  | { readonly do: 'edit'; readonly did: string; readonly members: Partial<Document> }
  | { readonly do: 'report' }

/** What is on the chain, and what was asked. */
export interface NodeReport {
  readonly documents: readonly Document[]
  readonly entities: readonly Omit<Entity, 'startDate' | 'endDate'>[]
  readonly transactions: readonly {
    readonly hash: string
    readonly code: number
    readonly signer: string
    readonly sequence: number
    /** Base64. */
    readonly bytes: string
  }[]
  readonly requests: readonly { readonly method: string; readonly path: string | undefined }[]
  readonly balances: Readonly<Record<string, string>>
}

/** A node of a chain on the loopback, in a process of its own. */
export interface ChainNodeProcess {
  /** Its RPC: `http://127.0.0.1:40123`. */
  readonly url: string
  /** Tells it what to do. @returns what is there afterwards */
  send(command: NodeCommand): Promise<NodeReport>
  stop(): void
}

/** Starts a node; it ends with the process that started it. */
export const startChainNode = async (): Promise<ChainNodeProcess> => {
  const child = fork(new URL('chain-node-process.test.helper.ts', import.meta.url), { execArgv: [] })
  const [{ url }] = await once(child, 'message')
  let last: Promise<unknown> = Promise.resolve()
  const send = async (command: NodeCommand): Promise<NodeReport> => {
    await last.catch(() => {})
    const answered = once(child, 'message')
    last = answered
    child.send(command)
    const [{ report }] = await answered
    return report
  }
  return { url, send, stop: () => child.kill() }
}
