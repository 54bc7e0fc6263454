import { CronInvalidError, TimeZoneInvalidError } from '../errors/job-errors.ts'

const assertTimeZone = (timeZone: string): void => {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch (error) {
    throw new TimeZoneInvalidError(timeZone, { cause: error })
  }
}

/**
 * The first times after `after` that a cron pattern of five fields matches in a time zone, fewer where it matches less
 * often. A local time that daylight saving leaves out is taken at the jump; one that comes twice, the first time only.
 *
 * @param after milliseconds since 1970
 * @throws CronInvalidError `cron_invalid`, TimeZoneInvalidError `time_zone_invalid`
 */
export const nextCronTimes = async (
  cron: string,
  timeZone: string,
  after: number,
  count: number,
): Promise<readonly [number, ...number[]]> => {
  const isUtc = timeZone === 'UTC'
  if (!isUtc) assertTimeZone(timeZone)
  const { Cron } = await import('croner')
  // What needs no time zone does without the calendars of ICU, which take a boot several milliseconds.
  const zone = isUtc ? { utcOffset: 0 } : { timezone: timeZone }
  const times: number[] = []
  try {
    const pattern = new Cron(cron, { ...zone, mode: '5-part', paused: true })
    for (let last = after; times.length < count; times.push(last)) {
      const next = pattern.nextRun(new Date(last))
      if (next === null) break
      last = next.getTime()
    }
  } catch (error) {
    throw new CronInvalidError(cron, { cause: error })
  }
  const [first, ...others] = times
  if (first === undefined) throw new CronInvalidError(cron)
  return [first, ...others]
}

/** The first of `nextCronTimes`. */
export const nextCronTime = async (cron: string, timeZone: string, after: number): Promise<number> =>
  (await nextCronTimes(cron, timeZone, after, 1))[0]
