import { describe, expect, test } from 'vitest'
import { nextCronTimes } from './next-cron-time.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** All patterns below run at multiples of it, and every change of a clock in 2026 lies at one. */
const STEP = 15 * MINUTE

/** Patterns with their minutes and hours; each but the last two names its hours. */
const PATTERNS: readonly [string, readonly number[], readonly number[]][] = [
  ['30 2 * * *', [30], [2]],
  ['0 0,12 * * *', [0], [0, 12]],
  ['30 2,14 * * *', [30], [2, 14]],
  ['30 1,2,3 * * *', [30], [1, 2, 3]],
  ['0 0-4 * * *', [0], [0, 1, 2, 3, 4]],
  ['15 22-23 * * *', [15], [22, 23]],
  ['45 */2 * * *', [45], [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]],
  ['0 */12 * * *', [0], [0, 12]],
  ['30 0-6/3 * * *', [30], [0, 3, 6]],
  ['*/15 2 * * *', [0, 15, 30, 45], [2]],
  ['0,30 0-3 * * *', [0, 30], [0, 1, 2, 3]],
  ['30 * * * *', [30], [...Array(24).keys()]],
  ['*/15 * * * *', [0, 15, 30, 45], [...Array(24).keys()]],
]

interface Shown {
  readonly at: number
  /** The wall time, as milliseconds of a clock on UTC that shows the same. */
  readonly wall: number
}

const clockOf = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return (at: number): number => {
    const [month, day, year, hour, minute] = format.format(at).match(/\d+/g)!.map(Number)
    return Date.UTC(2000 + year!, month! - 1, day, hour, minute)
  }
}

/** Reads the clocks at each step from half a day before each change of 2026 to a day after it. */
const changesOf = (timeZone: string): Shown[][] => {
  const wallAt = clockOf(timeZone)
  const isEven = (at: number, span: number) => wallAt(at + span) - wallAt(at) === span
  const found: Shown[][] = []
  for (let week = Date.UTC(2026, 0); week < Date.UTC(2027, 0); week += 7 * DAY) {
    if (isEven(week, 7 * DAY)) continue
    let at = week
    while (isEven(at, STEP)) at += isEven(at, 12 * HOUR) ? 12 * HOUR : STEP
    found.push(Array.from({ length: 144 }, (_, place) => at - 12 * HOUR + place * STEP).map(readAt(wallAt)))
  }
  return found
}
const readAt = (wallAt: (at: number) => number) => (at: number) => ({ at, wall: wallAt(at) })

/** Returns the zones with changes in 2026, one of those whose clocks show the same. */
const differentClocks = () =>
  new Map(
    Intl.supportedValuesOf('timeZone').map(timeZone => {
      const changes = changesOf(timeZone)
      return [JSON.stringify(changes), [timeZone, changes]] as const
    }),
  ).values()

/** Walks through what the clocks show, quarter by quarter, and notes when the pattern is to run. */
const expectedRuns = (shown: readonly Shown[], [cron, minutes, hours]: (typeof PATTERNS)[number]): number[] => {
  const matches = (wall: number) => {
    const read = new Date(wall)
    return hours.includes(read.getUTCHours()) && minutes.includes(read.getUTCMinutes())
  }
  if (cron.split(' ')[1] === '*') return shown.slice(1).flatMap(({ at, wall }) => (matches(wall) ? [at] : []))
  const runs: number[] = []
  let latest = shown[0]!.wall
  for (const { at, wall } of shown.slice(1)) {
    let isDue = false
    for (let named = latest + STEP; named <= wall; named += STEP) isDue ||= matches(named)
    if (isDue) runs.push(at)
    latest = Math.max(latest, wall)
  }
  return runs
}

describe('cron patterns on days when clocks change', () => {
  test('each named time runs once in every zone, at the jump if it is skipped', { tags: 'long' }, async () => {
    const wrong: string[] = []
    let cases = 0
    for (const [timeZone, changes] of differentClocks()) {
      for (const shown of changes) {
        for (const pattern of PATTERNS) {
          const expected = expectedRuns(shown, pattern)
          const times = await nextCronTimes(pattern[0], timeZone, shown[0]!.at, expected.length)
          cases++
          if (times.join() === expected.join()) continue
          wrong.push(`${pattern[0]} ${timeZone}: ${iso(times)}, expected ${iso(expected)}`)
        }
      }
    }
    expect(cases).toBeGreaterThan(500)
    expect(wrong).toEqual([])
  })

  test.each<[string, string, string, string[]]>([
    ['30 2,14 31 10 *', 'Europe/Berlin', '2026-10-31', ['2026-10-31T01:30Z', '2026-10-31T13:30Z', '2027-10-31T00:30Z']],
    ['0 0,12 24 4 *', 'Africa/Cairo', '2026-04-23', ['2026-04-23T22:00Z', '2026-04-24T09:00Z', '2027-04-23T22:00Z']],
    ['0 * * * *', 'Europe/Berlin', '2026-10-25', ['2026-10-25T01:00Z', '2026-10-25T02:00Z', '2026-10-25T03:00Z']],
    // Samoa left out the whole of 30 December 2011.
    ['0 9 30 12 *', 'Pacific/Apia', '2011-12-30', ['2011-12-30T10:00Z', '2012-12-29T19:00Z']],
    ['@daily', 'America/Santiago', '2026-09-06', ['2026-09-06T04:00Z', '2026-09-07T03:00Z']],
    ['0 */1 * * *', 'Europe/Berlin', '2026-10-25', ['2026-10-25T01:00Z', '2026-10-25T02:00Z']],
  ])('%s in %s after %s', async (cron, timeZone, after, expected) => {
    const times = await nextCronTimes(cron, timeZone, Date.parse(after), expected.length)
    expect(times.map(at => `${new Date(at).toISOString().slice(0, 16)}Z`)).toEqual(expected)
  })

  test('asked again between the two showings of a time, a named one is over', async () => {
    const between = Date.parse('2026-10-25T00:45Z')
    expect(iso(await nextCronTimes('30 2,14 * * *', 'Europe/Berlin', between, 1))).toBe('2026-10-25T13:30')
    expect(iso(await nextCronTimes('30 * * * *', 'Europe/Berlin', between, 1))).toBe('2026-10-25T01:30')
  })
})

const iso = (times: readonly number[]) => times.map(at => new Date(at).toISOString().slice(0, 16)).join(' ')
