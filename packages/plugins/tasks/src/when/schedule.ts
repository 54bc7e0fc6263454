import { nextCronTimes, ZoneClock } from '@sibyl/plugin/storage'
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

/** A time as people of a place write it. */
const localForm = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?$/
const offsetForm = /(?:[zZ]|[+-]\d\d:?\d\d)$/

/** Whether it is a time zone by its IANA name. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

/**
 * Reads a time of ISO 8601: with an offset as it stands, without one as the clocks of the zone show it. Of a time that
 * daylight saving leaves out, the jump is taken; of one that comes twice, the first.
 *
 * @returns milliseconds since 1970; undefined where it is no time
 */
export const readTime = (text: string, timeZone: string): number | undefined => {
  if (offsetForm.test(text)) {
    const at = Date.parse(text.replace(' ', 'T'))
    return Number.isNaN(at) ? undefined : at
  }
  const [year, month, date, hour, minute, second = 0] =
    localForm
      .exec(text)
      ?.slice(1)
      .map(part => Number(part ?? 0)) ?? []
  if (year === undefined) return undefined
  const wall = Date.UTC(year, month! - 1, date, hour, minute, second)
  const asUtc = new Date(wall)
  const isReal = asUtc.getUTCMonth() === month! - 1 && asUtc.getUTCDate() === date && asUtc.getUTCHours() === hour
  return isReal ? new ZoneClock(timeZone).instantOf(wall) : undefined
}

/** A moment in words: 'Monday 30 November 2026, 07:00'. */
export const timeInWords = (at: number, timeZone: string): string => timesInWords(timeZone)(at)

/** Words several moments of one zone as `timeInWords` does. */
export const timesInWords = (timeZone: string): ((at: number) => string) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return at => {
    const { weekday, day, month, year, hour, minute } = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, value]),
    )
    return `${weekday} ${day} ${month} ${year}, ${hour}:${minute}`
  }
}
