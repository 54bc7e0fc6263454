import { every, type Logger, type Retention, retain } from '@sibyl/plugin'
import type { BootProblem } from '@sibyl/plugin/host'
import {
  type Jobs,
  type JobTables,
  type ObjectStoreEnv,
  objectLocation,
  openObjectStore,
  releaseSpace,
  type Storage,
} from '@sibyl/storage'
import type { CoreEnv } from '../config/core-env.ts'
import { envProblem } from '../config/env-problem.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { retainTimings } from '../database/stored-timings.ts'
import { retainSessions } from '../sessions/retain-sessions.ts'
import { EvenClock } from '../time/even-clock.ts'
import { retentionArchive } from './retention-archive.ts'

const dayMs = 86_400_000

type JobsEnv = Pick<CoreEnv, 'RETENTION_JOBS_DAYS' | 'RETENTION_FAILED_JOBS_DAYS'>
type ArchiveEnv = Pick<CoreEnv, 'RETENTION_ARCHIVE_DIR' | 'RETENTION_ARCHIVE_URL' | keyof ObjectStoreEnv>

/** Dependencies of `startRetention`. */
export interface RetentionDependencies {
  readonly storage: Storage
  readonly jobs: Jobs
  readonly env: ArchiveEnv & JobsEnv & Pick<CoreEnv, 'RETENTION_CONVERSATIONS_DAYS' | 'TRACES_KEEP_DAYS'>
  /** The retention of plugins. */
  readonly rules: readonly Retention[]
  readonly now: () => number
  /** Whether `now` is the clock of the computer, which may jump. */
  readonly isSystemClock: boolean
  readonly log: Logger
}

/**
 * Deletes hourly what is past its retention, in core and plugins, and gives the space back. A rule that fails leaves the others.
 * After a jump of the clock nothing is deleted for a day: a wrong clock would delete conversations too early.
 */
export const startRetention = async (parts: RetentionDependencies): Promise<void> => {
  const { jobs, env, now, log } = parts
  const storage = parts.storage.for<CoreTables>()
  const rules: readonly Retention[] = [
    retainSessions(storage, env.RETENTION_CONVERSATIONS_DAYS),
    retainTimings(storage, env.TRACES_KEEP_DAYS),
    retainJobs(parts.storage.for<JobTables>(), env),
    ...parts.rules,
  ]
  const place = await archivePlace(env)
  const archive = place === undefined ? undefined : retentionArchive(place, now)
  let hasJumped = false
  const clock = new EvenClock(now, undefined, () => {
    hasJumped = true
  })
  const run = async (signal: AbortSignal) => {
    const evenMs = clock.evenFor()
    if (parts.isSystemClock && hasJumped && evenMs < dayMs)
      return log.warn('retention waits for a day, because the clock of this computer jumped')
    const failed: unknown[] = []
    const deleted: Record<string, number> = {}
    for (const rule of rules) {
      if (signal.aborted) return
      try {
        const count = await rule.apply({ now: now(), signal, archive })
        if (count > 0) deleted[rule.table] = (deleted[rule.table] ?? 0) + count
      } catch (error) {
        log.warn('the retention of a table failed and will be retried', { table: rule.table, error })
        failed.push(error)
      }
    }
    const bytes = await releaseSpace(storage, signal)
    if (Object.keys(deleted).length > 0) log.info('rows past their retention were deleted', { ...deleted, bytes })
    if (failed.length > 0) throw failed[0]
  }
  await every(jobs, { kind: 'core/retention', interval: '1h', timeLimitMs: 3_000_000, run })
}

/** Returns the retention of jobs that have ended. */
const retainJobs = (storage: Storage<JobTables>, env: JobsEnv): Retention =>
  retain(storage, {
    table: 'sibyl_job',
    key: ['id'],
    where(eb, now) {
      const before = (days: number) => eb('ended_at', '<', now - days * dayMs)
      const failedDays = env.RETENTION_FAILED_JOBS_DAYS
      return eb.or([
        eb.and([eb('state', 'in', ['done', 'cancelled']), before(env.RETENTION_JOBS_DAYS)]),
        ...(failedDays === undefined ? [] : [eb.and([eb('state', '=', 'dead'), before(failedDays)])]),
      ])
    },
  })

const archivePlace = async (env: ArchiveEnv) =>
  env.RETENTION_ARCHIVE_URL === undefined
    ? env.RETENTION_ARCHIVE_DIR
    : openObjectStore(objectLocation(env.RETENTION_ARCHIVE_URL, env))

/** Returns the boot problem of settings that do not lead to the archive. */
export const archiveProblems = (env: ArchiveEnv): readonly BootProblem[] => {
  try {
    if (env.RETENTION_ARCHIVE_URL !== undefined) objectLocation(env.RETENTION_ARCHIVE_URL, env)
    return []
  } catch (error) {
    const problem = error instanceof Error ? error.message.replace(/\.$/, '') : ''
    return [envProblem({ owner: 'core', variable: 'RETENTION_ARCHIVE_URL', fault: problem })]
  }
}
