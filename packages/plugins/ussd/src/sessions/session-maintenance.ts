import { sql } from '@sibyl/plugin/storage'
import { openedOrUndefined } from '../storage/value-lists.ts'
import { resumeMs } from './resume-session.ts'
import type { SessionContext } from './session-context.ts'
import { aheadMs, type SessionRow, sessionColumns, sharedNow } from './session-sql.ts'

/** Interval of deletions of expired sessions, in milliseconds. */
const forgetIntervalMs = 15_000

const batchSize = 500

/** Interval of checks for a jump of the clock, in milliseconds. */
const jumpIntervalMs = 5_000

/** Deletes expired sessions, until it is stopped. */
export const startSessionMaintenance = (context: SessionContext): { stop(): Promise<void> } => {
  const { storage, store, time, settings, log } = context
  let stopped = false
  const underWay = new Set<Promise<void>>()
  const every = (intervalMs: number, task: () => Promise<void>): NodeJS.Timeout => {
    let busy = false
    return setInterval(() => {
      if (busy) return
      busy = true
      start(task().finally(() => (busy = false)))
    }, intervalMs).unref()
  }
  const start = (task: Promise<void>) => {
    const ended = task.catch(error => log.warn('tidying up sessions failed; it is tried again soon', { error }))
    underWay.add(ended)
    void ended.finally(() => underWay.delete(ended))
  }

  const forget = async () => {
    store.forgetCopies('expired')
    if (time.runningMs < settings.ttlMs) return
    while (!stopped && (await forgetExpired(context)) === batchSize) await new Promise(resume => setImmediate(resume))
  }
  const followClock = async () => {
    if (storage.engine === 'sqlite' && time.jumpMs !== 0) await moveRows(context)
  }

  const timers = [every(forgetIntervalMs, forget), every(jumpIntervalMs, followClock)]
  return {
    async stop() {
      stopped = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

/** Deletes some of the ended sessions, oldest first; several processes take different ones. */
const forgetExpired = async ({ storage, time, settings, seals, counts }: SessionContext): Promise<number> => {
  const now = sharedNow(storage.engine, time.now())
  const keepMs = settings.resume ? Math.max(0, resumeMs - settings.ttlMs) : 0
  const skip = storage.engine === 'postgres' ? sql`for update skip locked` : sql``
  const deleted = await storage.write(
    async tx => {
      const { rows } = await sql<SessionRow>`
        delete from ussd_sessions where key in (
          select key from ussd_sessions
          where (born_at <= ${now} - ${sql.lit(settings.ttlMs)} or born_at > ${now} + ${sql.lit(aheadMs)})
            and (expires_at <= ${now} - ${sql.lit(keepMs)} or updated_at > ${now} + ${sql.lit(aheadMs)})
            and (run_until is null or run_until <= ${now})
          order by born_at limit ${sql.lit(batchSize)} ${skip})
        returning ${sessionColumns}, ${now} as now`.execute(tx)
      return rows
    },
    { isolation: 'read committed' },
  )
  for (const row of deleted) {
    if (row.status !== 'active') continue
    const session = openedOrUndefined(() => seals.session(row))
    if (session !== undefined) counts.add(session.record.state.screen, 'timed_out')
  }
  return deleted.length
}

/**
 * Shifts the times of sessions that this process may have written by the jump of the clock, in one write with its own
 * time.
 */
const moveRows = async ({ storage, store, time, settings, log }: SessionContext): Promise<void> => {
  let moved = 0
  const by = (ms: number) => {
    moved += ms
    time.rowsMoved(ms)
    store.forgetCopies('all')
  }
  try {
    await storage.write(async tx => {
      const { jumpMs } = time
      const now = time.now()
      const since = now - time.runningMs - settings.ttlMs - resumeMs
      await sql`
        update ussd_sessions set born_at = born_at + ${jumpMs}, updated_at = updated_at + ${jumpMs},
          expires_at = expires_at + ${jumpMs}, run_until = run_until + ${jumpMs}
        where updated_at between ${since} and ${now + aheadMs}`.execute(tx)
      by(jumpMs)
    })
    log.info('the clock jumped; sessions keep their age', { jumpMs: moved })
  } catch (error) {
    if (moved !== 0) by(-moved)
    throw error
  }
}
