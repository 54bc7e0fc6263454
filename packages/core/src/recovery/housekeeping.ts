import type { Storage } from '@sibyl/storage'
import type { ReplayGuard } from '../auth/replay-guard.ts'
import type { Logger } from '../logging/logger.ts'
import type { CoreTables } from '../sessions/core-tables.ts'

/** How often the oracle tidies up, in milliseconds. */
const intervalMs = 60_000

/**
 * Forgets expired nonces and old events, and looks for turns that other processes left, every minute.
 *
 * @param keepEventsMs How long the events of a turn are kept.
 * @param recover Ends what dead processes left; given where several processes share the database.
 * @returns Stops it.
 */
export const startHousekeeping = (
  storage: Pick<Storage<CoreTables>, 'write'>,
  replayGuard: ReplayGuard,
  keepEventsMs: number,
  now: () => number,
  log: Logger,
  recover?: () => Promise<unknown>,
): (() => void) => {
  const tidy = async () => {
    try {
      await replayGuard.forgetExpired(now())
      await forgetEvents(storage, now() - keepEventsMs)
      await recover?.()
    } catch (error) {
      log.warn('tidying up failed; it is tried again in a minute', { error })
    }
  }
  const timer = setInterval(tidy, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Forgets the events of turns that had ended before then; those of a long turn stay together. */
const forgetEvents = async (storage: Pick<Storage<CoreTables>, 'write'>, before: number): Promise<void> => {
  await storage.write(tx =>
    tx
      .deleteFrom('core_turn_events')
      .where('created_at', '<', before)
      .where(eb =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('core_turns')
              .select('id')
              .whereRef('core_turns.id', '=', 'core_turn_events.turn_id')
              .where(turn => turn.or([turn('ended_at', 'is', null), turn('ended_at', '>=', before)])),
          ),
        ),
      )
      .execute(),
  )
}
