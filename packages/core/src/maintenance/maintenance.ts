import { type Logger, utcDay } from '@sibyl/plugin'
import { changeInParts, type RowsToChange, type Storage, sql } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { ReplayGuard } from '../auth/revocation-store.ts'
import type { TokenUsageStore } from '../budgets/token-usage-store.ts'
import { type CoreTables, sharedTime } from '../database/core-tables.ts'
import { countInSessions } from '../database/count-stored.ts'
import { keptUsageDays } from '../database/kept-usage-days.ts'
import { forgetShares } from '../limits/shared-windows.ts'
import { EvenClock } from '../time/even-clock.ts'

/** The interval of deleting expired rows, in milliseconds. */
const forgetIntervalMs = 60_000

/**
 * Time that the clock must have run evenly before expired rows are deleted, in milliseconds: the maximum lifetime of an
 * invocation with the skew on both sides. A nonce deleted by a wrong clock could be used again by the right one.
 */
const evenBeforeMs = 1_020_000

/** The interval of the check for restored backups, in milliseconds. */
const restoreIntervalMs = 60_000

/** The interval of recovering turns of crashed processes, in milliseconds. */
const recoverIntervalMs = 1_500

/** The interval of ending late calls of clients, in milliseconds. */
const lateCallsIntervalMs = 5_000

/** Dependencies of `startMaintenance`. */
export interface MaintenanceDependencies {
  readonly storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>
  readonly replayGuard: ReplayGuard
  readonly tokenUsage: Pick<TokenUsageStore, 'forgetBefore'>
  /** Deletes expired bearers, delegations and revocations. */
  readonly forgetExpired: (now: number, signal: AbortSignal) => Promise<void>
  /** Checks whether the database was replaced by a backup. */
  readonly checkRestore: () => Promise<unknown>
  /** The time for which the events of an ended turn are stored, in milliseconds. */
  readonly keepEventsMs: number
  readonly now: () => number
  /** Monotonic milliseconds. @default performance.now */
  readonly stopwatch?: () => number
  readonly log: Logger
  /** Continues the turns of crashed processes, or ends them. */
  readonly recoverCrashed: () => Promise<unknown>
  /** Ends calls of clients that returned no result in time. */
  readonly endLateCalls: () => Promise<unknown>
}

/** Deletes expired nonces, old events and rate counts, and recovers turns of other processes, until it is stopped. */
export const startMaintenance = (parts: MaintenanceDependencies): (() => void) => {
  const { storage, replayGuard, tokenUsage, keepEventsMs, now, recoverCrashed } = parts
  const clock = new EvenClock(now, parts.stopwatch, seconds =>
    parts.log.warn('the clock of this computer jumped, or the computer slept', { seconds }),
  )
  const ending = new AbortController()
  const { signal } = ending
  const timers = [
    every(forgetIntervalMs, parts, async () => {
      if (clock.evenFor() < evenBeforeMs) return
      await replayGuard.forgetExpired(now(), signal)
      await parts.forgetExpired(now(), signal)
      await forgetEvents(storage, now(), keepEventsMs, signal)
      await forgetShares(storage, signal)
      await tokenUsage.forgetBefore(utcDay(now() - keptUsageDays * 86_400_000), signal)
    }),
    every(recoverIntervalMs, parts, recoverCrashed),
    every(lateCallsIntervalMs, parts, parts.endLateCalls),
    every(restoreIntervalMs, parts, parts.checkRestore),
  ]
  return () => {
    ending.abort()
    for (const timer of timers) clearInterval(timer)
  }
}

/** Runs a cleanup job at an interval; a run that would overlap another is skipped. */
const every = (intervalMs: number, { log }: MaintenanceDependencies, task: () => Promise<unknown>): NodeJS.Timeout => {
  let isBusy = false
  return setInterval(() => {
    if (isBusy) return
    isBusy = true
    task()
      .catch(error => log.warn('a cleanup job failed and will be retried', { error }))
      .finally(() => (isBusy = false))
  }, intervalMs).unref()
}

/** Deletes the events of turns that ended long ago; those of a long turn stay complete until then. */
const forgetEvents = async (
  storage: MaintenanceDependencies['storage'],
  now: number,
  keepMs: number,
  signal: AbortSignal,
): Promise<void> => {
  const before = sql<number>`${sharedTime(storage.engine, now)} - ${sql.lit(keepMs)}`
  const old: RowsToChange<CoreTables, 'core_turn_events'> = {
    table: 'core_turn_events',
    key: ['turn_id', 'first_id'],
    where: eb =>
      eb.and([
        eb('created_at', '<', before),
        eb.not(
          eb.exists(
            eb
              .selectFrom('core_turns')
              .select('id')
              .whereRef('core_turns.id', '=', 'core_turn_events.turn_id')
              .where(turn => turn.or([turn('ended_at', 'is', null), turn('ended_at', '>=', before)])),
          ),
        ),
      ]),
    signal,
  }
  await changeInParts(storage, old, async (anyTx, among) => {
    const tx = anyTx as unknown as Transaction<CoreTables>
    const deleted = await anyTx
      .deleteFrom('core_turn_events')
      .where(among)
      .returning(['turn_id', sql<number>`octet_length(body)`.as('bytes')])
      .execute()
    const bytes = new Map<string, number>()
    for (const event of deleted) {
      const turnId = String(event.turn_id)
      bytes.set(turnId, (bytes.get(turnId) ?? 0) + event.bytes)
    }
    if (bytes.size === 0) return 0
    const turns = await tx
      .selectFrom('core_turns')
      .select(['id', 'owner', 'session_id'])
      .where('id', 'in', [...bytes.keys()])
      .execute()
    await countInSessions(
      tx,
      turns.map(({ id, owner, session_id: sessionId }) => ({ did: owner, sessionId, bytes: -(bytes.get(id) ?? 0) })),
    )
    return deleted.length
  })
}
