import type { TurnRow, TurnStore } from '../sessions/turn-store.ts'
import { type EngineRefusal, refusals } from './turn-refusals.ts'

/** After this long without a sign of life, a turn's process counts as dead, in milliseconds. */
export const deadAfterMs = 15_000

/** How long a reader in another process counts as there after its last sign, in milliseconds. */
const readerFreshMs = 2_000

/** How long a stop waits for a turn in another process, in milliseconds. */
const stopWaitMs = 5_000

/** How often a turn in another process is looked at, in milliseconds. */
const lookIntervalMs = 100

/** What `RemoteTurns` rests on. */
export interface RemoteTurnsParts {
  readonly store: TurnStore
  readonly processId: string
  readonly now: () => number
  /** Ends what dead processes left; given where several processes share the database. */
  readonly recoverDead: (() => Promise<unknown>) | undefined
}

/** The turns that other processes run, reached through the database. */
export class RemoteTurns {
  readonly #parts: RemoteTurnsParts

  constructor(parts: RemoteTurnsParts) {
    this.#parts = parts
  }

  /** Makes room where a turn runs elsewhere, or says why not. */
  async makeWay(turnId: string, whenBusy: 'queue' | 'refuse' | 'supersede'): Promise<EngineRefusal | undefined> {
    const { store, now, recoverDead, processId } = this.#parts
    const row = await store.find(turnId)
    if (row?.status !== 'running') return undefined
    if (recoverDead && row.processId !== processId && now() - row.heartbeatAt > deadAfterMs) {
      await recoverDead()
      return undefined
    }
    if (whenBusy === 'refuse') return refusals.turnRunning
    if (whenBusy === 'supersede') {
      if (now() - row.readerSeenAt < readerFreshMs) return refusals.turnRunning
      await store.requestStop(turnId)
    }
    return (await this.#hasEnded(turnId, whenBusy === 'queue' ? deadAfterMs * 8 : stopWaitMs))
      ? undefined
      : refusals.turnRunning
  }

  /** Asks a turn to stop and waits a moment for its end. */
  async stop(turnId: string): Promise<void> {
    await this.#parts.store.requestStop(turnId)
    await this.#hasEnded(turnId, stopWaitMs)
  }

  /** A turn once it has ended, or as it is when that takes too long. */
  async ended(turnId: string): Promise<TurnRow | undefined> {
    await this.#hasEnded(turnId, deadAfterMs)
    return this.#parts.store.find(turnId)
  }

  async #hasEnded(turnId: string, limitMs: number): Promise<boolean> {
    for (const until = Date.now() + limitMs; ; ) {
      const row = await this.#parts.store.find(turnId)
      if (row?.status !== 'running') return true
      if (Date.now() > until) return false
      await new Promise(resolve => setTimeout(resolve, lookIntervalMs))
    }
  }
}
