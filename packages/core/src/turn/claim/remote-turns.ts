import { vanishedAfterMs } from '../store/recover-turns.ts'
import { followerFreshMs } from '../store/running-turn.ts'
import type { TurnRow } from '../store/turn.ts'
import type { TurnNotifier } from '../store/turn-notifier.ts'
import { type Refused, refusals, type TurnRefusal } from '../store/turn-refusals.ts'
import type { TurnStore } from '../store/turn-store.ts'

/** The time limit of a turn elsewhere to answer a notification, in milliseconds; usually it takes a few. */
const answerLimitMs = 6_000

/** The time that a stop waits for a turn in another process, in milliseconds. */
const stopWaitMs = 8_000

/** The time that a turn which goes on waits for the end of the one before it, in milliseconds. */
const endWaitMs = 15_000

/** The time that a queued message waits for the end of the turn before it, in milliseconds. */
const queueWaitMs = 120_000

/** The interval of reading a turn of another process without a notification, in milliseconds. */
const pollIntervalMs = 300

/** The turns that this process does not run, reached through the database. */
export class RemoteTurns {
  readonly #turns: TurnStore
  readonly #notifier: TurnNotifier
  readonly #recoverCrashed: () => Promise<unknown>

  /** @param recoverCrashed Continues the turns of crashed processes, or ends them. */
  constructor(turns: TurnStore, notifier: TurnNotifier, recoverCrashed: () => Promise<unknown>) {
    this.#turns = turns
    this.#notifier = notifier
    this.#recoverCrashed = recoverCrashed
  }

  /** Makes room where a turn runs elsewhere, or says why not. */
  async makeWay(turnId: string, whenBusy: 'queue' | 'refuse' | 'supersede'): Promise<TurnRefusal | undefined> {
    const before = await this.#turns.find(turnId)
    if (before?.status !== 'running') return undefined
    if (whenBusy !== 'queue') {
      this.#notifier.notify(turnId)
      const row = await this.#until(turnId, answerLimitMs, one => one.heartbeatAt !== before.heartbeatAt)
      if (row?.status !== 'running') return undefined
      if (whenBusy === 'refuse' || isRead(row) || row.heartbeatAt === before.heartbeatAt) return refusals.turnRunning
      await this.#turns.requestStop(turnId)
    }
    this.#notifier.notify(turnId)
    const row = await this.#until(turnId, whenBusy === 'queue' ? queueWaitMs : stopWaitMs)
    return row?.status === 'running' ? refusals.turnRunning : undefined
  }

  /**
   * Returns a turn that a client may read: one that is admitted and cannot be withdrawn. Waits while plugins are asked
   * about it elsewhere.
   *
   * @returns undefined where it was taken back, so that the same message may begin a new turn
   */
  async readable(turn: TurnRow): Promise<Refused | TurnRow | undefined> {
    const isKept = (row: TurnRow) => row.admitted || row.status !== 'running'
    const row = isKept(turn) ? turn : await this.#until(turn.id, queueWaitMs, isKept)
    if (row?.status !== 'running') return row
    if (!row.admitted) return { refused: refusals.turnRunning }
    return (await this.#turns.noteFollower(row.id).catch(() => true)) ? row : undefined
  }

  /** Asks a turn to stop and waits a moment for its end. */
  async stop(turnId: string): Promise<void> {
    await this.#turns.requestStop(turnId)
    this.#notifier.notify(turnId)
    await this.#until(turnId, stopWaitMs)
  }

  /** A turn once it has ended, or as it is when that takes too long. */
  async ended(turnId: string): Promise<TurnRow | undefined> {
    const row = await this.#turns.find(turnId)
    if (row?.status !== 'running') return row
    this.#notifier.notify(turnId)
    return this.#until(turnId, endWaitMs)
  }

  /** The turn once it has ended, is as wanted, or the time is over. */
  async #until(
    turnId: string,
    limitMs: number,
    isWanted: (row: TurnRow) => boolean = () => false,
  ): Promise<TurnRow | undefined> {
    for (const until = performance.now() + limitMs; ; ) {
      const heard = this.#notifier.notified(turnId, pollIntervalMs)
      const row = await this.#turns.find(turnId)
      if (row?.status !== 'running' || isWanted(row) || performance.now() > until) return row
      if (row.silentMs > vanishedAfterMs) await this.#recoverCrashed()
      await heard
    }
  }
}

/** Whether the turn had a reader when its process gave its last sign of life, or has one in another process. */
const isRead = (row: TurnRow): boolean => row.readerSeenAt >= row.heartbeatAt || row.unfollowedMs < followerFreshMs
