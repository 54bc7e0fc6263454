import { CronInvalidError, TimeZoneInvalidError } from '../errors/job-errors.ts'

const assertTimeZone = (timeZone: string): void => {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch (error) {
    throw new TimeZoneInvalidError(timeZone, { cause: error })
  }
}

/**
 * The first time after `after` that a cron pattern of five fields matches in a time zone. A local time that daylight
 * saving leaves out is taken at the jump; one that comes twice, the first time only.
 *
 * @param after milliseconds since 1970
 * @throws CronInvalidError `cron_invalid`, TimeZoneInvalidError `time_zone_invalid`
 */
export const nextCronTime = async (cron: string, timeZone: string, after: number): Promise<number> => {
  assertTimeZone(timeZone)
  const { Cron } = await import('croner')
  let next: Date | null
  try {
    next = new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true }).nextRun(new Date(after))
  } catch (error) {
    throw new CronInvalidError(cron, { cause: error })
  }
  if (next === null) throw new CronInvalidError(cron)
  return next.getTime()
}
