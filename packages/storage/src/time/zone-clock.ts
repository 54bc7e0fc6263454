import { storageErrors } from '../errors/storage-errors.ts'

const DAY = 86_400_000
const FIELDS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

/**
 * Converts between instants and wall times of one IANA time zone. A wall time is written as the milliseconds since 1970
 * that a clock on UTC would have when it shows the same date and time. No zone has two changes of offset within two days.
 */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat | undefined

  /** @throws `time_zone_invalid` */
  constructor(timeZone: string) {
    // The calendars of ICU take several milliseconds to load, and UTC needs none.
    this.#format = timeZone === 'UTC' ? undefined : formatOf(timeZone)
  }

  /** Returns the milliseconds by which the zone's clocks are ahead of UTC at an instant. */
  offsetAt(instant: number): number {
    if (this.#format === undefined) return 0
    const shown = new Map(this.#format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
    const [year, month, day, hour, minute, second] = FIELDS.map(field => shown.get(field)!)
    return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000
  }

  wallAt(instant: number): number {
    return instant + this.offsetAt(instant)
  }

  /** Returns the first instant that shows a wall time; for a wall time that the clocks skip, the instant of the jump. */
  instantOf(wall: number): number {
    const before = wall - this.offsetAt(wall - DAY)
    const after = wall - this.offsetAt(wall + DAY)
    if (before === after) return before
    const shown = [before, after].filter(instant => this.wallAt(instant) === wall)
    return shown.length > 0 ? Math.min(...shown) : this.#changeBetween(Math.min(before, after), Math.max(before, after))
  }

  /**
   * Returns the first instant in `(from, to]` with an offset other than that of `from`; undefined if the offset does
   * not change.
   */
  nextChange(from: number, to: number): number | undefined {
    const offset = this.offsetAt(from)
    for (let start = from; start < to; start += DAY) {
      const end = Math.min(start + DAY, to)
      if (this.offsetAt(end) !== offset) return this.#changeBetween(start, end)
    }
    return undefined
  }

  #changeBetween(from: number, to: number): number {
    const old = this.offsetAt(from)
    let [low, high] = [from, to]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.offsetAt(middle) === old) low = middle
      else high = middle
    }
    return high
  }
}

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const numeric = Object.fromEntries(FIELDS.map(field => [field, 'numeric']))
  try {
    return new Intl.DateTimeFormat('en-US', { ...numeric, timeZone, hourCycle: 'h23' })
  } catch (error) {
    throw storageErrors.time_zone_invalid({ timeZone }, { cause: error })
  }
}
