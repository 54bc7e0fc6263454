import { nextCronTimes, ZoneClock } from '@sibyl/plugin/storage'
import { z } from 'zod'

/** When a task runs: once, or by a cron pattern of five fields; times are milliseconds since 1970. */
export const schedule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once'), at: z.number() }),
  z.object({ kind: z.literal('cron'), cron: z.string(), words: z.string() }),
])
export type Schedule = z.infer<typeof schedule>

export interface ZonedSchedule {
  readonly schedule: Schedule
  readonly timeZone: string
}

/**
 * Returns at most `count` times after one; none if a one-time task is over.
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

/** Returns the next time after one, if any. */
export const nextTime = async (zoned: ZonedSchedule, after: number): Promise<number | undefined> =>
  (await nextTimes(zoned, after, 1))[0]

/** Local time without an offset. */
const localForm = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?$/
const offsetForm = /(?:[zZ]|[+-]\d\d:?\d\d)$/

/** Returns whether a name is an IANA time zone. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

/**
 * Parses an ISO 8601 time: with an offset as it is, without one in the time zone. A time that daylight saving skips
 * moves forward by the gap; of a time that occurs twice, the first is used.
 *
 * @returns milliseconds since 1970; undefined if it is invalid
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

/** Formats a time: 'Monday 30 November 2026, 07:00'. */
export const timeInWords = (at: number, timeZone: string): string => timesInWords(timeZone)(at)

/** Returns a formatter of times in one zone, like `timeInWords`. */
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
