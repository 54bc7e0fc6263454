import type { Host } from '@sibyl/plugin'
import { z } from 'zod'

/** Something done in the background every hour; it ends soon after `signal` aborts, and goes on the next time. */
export type Chore = (signal: AbortSignal) => Promise<void>

const kind = 'ussd/upkeep'

/** Does chores one after the other, at boot and every hour, in one of the processes that share the database. */
export const scheduleUpkeep = async (jobs: Host['jobs'], chores: readonly Chore[]): Promise<void> => {
  const work = async (signal: AbortSignal) => {
    for (const chore of chores) if (!signal.aborted) await chore(signal)
  }
  jobs.define(kind, z.object({}), (_data, { signal }) => work(signal), { concurrency: 1, timeLimitMs: 3_000_000 })
  await jobs.schedule(kind, '23 * * * *', 'UTC', kind, {})
  await jobs.enqueue(kind, {}, { dedupeKey: 'at-boot' })
}
