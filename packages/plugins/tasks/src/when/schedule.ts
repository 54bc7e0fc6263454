import { nextCronTimes } from '@sibyl/plugin/storage'
import { z } from 'zod'

/** When a task runs: once, or by a cron pattern of five fields; times are milliseconds since 1970. */
export const schedule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once'), at: z.number() }),
  z.object({ kind: z.literal('cron'), cron: z.string(), words: z.string() }),
])
export type Schedule = z.infer<typeof schedule>

/** A schedule with the zone whose clocks count. */
export interface ZonedSchedule {
  readonly schedule: Schedule
  readonly timeZone: string
}

/**
 * The next times after one, at most `count`; none when a task that runs once is over.
 *
 * @param after milliseconds since 1970
 */
export const nextTimes = async (
  { schedule, timeZone }: ZonedSchedule,
  after: number,
  count: number,
): Promise<readonly number[]> => {
  if (schedule.kind === 'once') return schedule.at > after ? [schedule.at] : []
  return nextCronTimes(schedule.cron, timeZone, after, count)
}

/** The next time after one, if any. */
export const nextTime = async (zoned: ZonedSchedule, after: number): Promise<number | undefined> =>
  (await nextTimes(zoned, after, 1))[0]
