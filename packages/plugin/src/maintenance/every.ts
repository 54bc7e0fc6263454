import { createHash } from 'node:crypto'
import type { Jobs } from '@sibyl/storage'
import { z } from 'zod'

/** The interval of maintenance; once per day is at night, between 03:00 and 04:00 UTC. */
export type MaintenanceInterval = '1m' | '5m' | '1h' | '1d'

/** Periodic work in one of the processes that share a database. */
export interface Maintenance {
  /** Name of the job: `<plugin>/<what>`. */
  readonly kind: string
  readonly interval: MaintenanceInterval
  /** Runs the work; a failed run is retried. */
  readonly run: (signal: AbortSignal) => Promise<unknown>
  /** Also runs when the oracle starts. @default false */
  readonly atStart?: boolean
  /** False ends a schedule of an earlier start; remaining jobs do nothing. @default true */
  readonly enabled?: boolean
  /** Time limit of a run, in milliseconds. @default 900_000 */
  readonly timeLimitMs?: number
}

/**
 * Runs maintenance regularly, as a durable job. Times are spread, so that plugins do not all work at the same minute.
 *
 * @throws `job_kind_taken`
 * @example await every(host.jobs, { kind: 'ports/forget-tides', interval: '1h', run: signal => forgetTides(storage, signal) })
 */
export const every = async (
  jobs: Pick<Jobs, 'define' | 'enqueue' | 'schedule' | 'unschedule'>,
  { kind, interval, run, atStart = false, enabled = true, timeLimitMs }: Maintenance,
): Promise<void> => {
  const work = async (signal: AbortSignal) => {
    if (enabled) await run(signal)
  }
  const limit = timeLimitMs === undefined ? {} : { timeLimitMs }
  jobs.define(kind, z.unknown(), (_, { signal }) => work(signal), {
    concurrency: 1,
    purpose: 'maintenance',
    ...limit,
  })
  if (!enabled) return void (await jobs.unschedule(kind))
  await jobs.schedule(kind, cronOf(interval, kind), 'UTC', kind, {})
  if (atStart) await jobs.enqueue(kind, {}, { dedupeKey: 'at-start' })
}

const cronOf = (interval: MaintenanceInterval, kind: string): string => {
  const minute = createHash('sha256').update(kind).digest().readUInt16BE() % 60
  const patterns = { '1m': '* * * * *', '5m': '*/5 * * * *', '1h': `${minute} * * * *`, '1d': `${minute} 3 * * *` }
  return patterns[interval]
}
