import type { Cron } from 'croner'
import { storageErrors } from '../errors/storage-errors.ts'
import { ZoneClock } from './zone-clock.ts'

/**
 * Returns the first times after `after` that a cron pattern of five fields matches in a time zone, fewer if it matches
 * less often. A pattern that names its hours (`2`, `2,14`, `0-6`, or a step such as 12) runs once for each local time: a
 * skipped one runs when the clocks jump, a repeated one runs the first time only. A pattern with `*` as its hour follows
 * the clocks: it runs in both repeated hours and not in a skipped one.
 *
 * @param after milliseconds since 1970
 * @throws `cron_invalid`, `time_zone_invalid`
 */
export const nextCronTimes = async (
  cron: string,
  timeZone: string,
  after: number,
  count: number,
): Promise<readonly [number, ...number[]]> => {
  const clock = new ZoneClock(timeZone)
  const { Cron } = await import('croner')
  const times: number[] = []
  try {
    // The library reads the pattern and knows the calendar; the zone's changes of offset are applied here.
    const pattern = new Cron(cron, { utcOffset: 0, mode: '5-part', paused: true })
    const nextAfter = namesHours(pattern) ? nextNamed : nextShown
    for (let last = after; times.length < count; times.push(last)) {
      const next = nextAfter(pattern, clock, last)
      if (next === undefined) break
      last = next
    }
  } catch (error) {
    throw storageErrors.cron_invalid({ cron }, { cause: error })
  }
  const [first, ...others] = times
  if (first === undefined) throw storageErrors.cron_invalid({ cron })
  return [first, ...others]
}

/** Returns the first of `nextCronTimes`. */
export const nextCronTime = async (cron: string, timeZone: string, after: number): Promise<number> =>
  (await nextCronTimes(cron, timeZone, after, 1))[0]

const namesHours = (pattern: Cron): boolean => {
  const hour = pattern.getPattern()?.trim().split(/\s+/)[1]
  return hour !== undefined && !/^[*?](?:\/0*1)?$/.test(hour)
}

const nextWall = (pattern: Cron, wall: number): number | undefined => pattern.nextRun(new Date(wall))?.getTime()

/** Returns the next instant of a local time that has not run yet. */
const nextNamed = (pattern: Cron, clock: ZoneClock, after: number): number | undefined => {
  for (let wall = nextWall(pattern, clock.wallAt(after)); wall !== undefined; wall = nextWall(pattern, wall)) {
    const instant = clock.instantOf(wall)
    if (instant > after) return instant
  }
  return undefined
}

/** Returns the next instant at which the clocks show a local time that matches. */
const nextShown = (pattern: Cron, clock: ZoneClock, after: number): number | undefined => {
  for (let from = after; ; ) {
    const offset = clock.offsetAt(from)
    const wall = nextWall(pattern, from + offset)
    if (wall === undefined) return undefined
    const instant = wall - offset
    const change = clock.nextChange(from, instant)
    if (change === undefined) return instant
    const shownThen = clock.wallAt(change)
    if (nextWall(pattern, shownThen - 1) === shownThen) return change
    from = change
  }
}
