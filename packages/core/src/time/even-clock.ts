/** Maximum drift between clock and stopwatch between two readings, in milliseconds. */
const toleranceMs = 1_000

/**
 * Measures how long the clock of the computer has run without a jump. After a jump, an expired object may still be
 * valid; after an even period as long as its lifetime, it has expired.
 */
export class EvenClock {
  readonly #now: () => number
  readonly #stopwatch: () => number
  #ahead: number
  #evenSince: number

  /**
   * @param now The clock, in milliseconds since 1970; it may jump.
   * @param stopwatch Monotonic milliseconds.
   */
  constructor(now: () => number, stopwatch: () => number = () => performance.now()) {
    this.#now = now
    this.#stopwatch = stopwatch
    this.#evenSince = stopwatch()
    this.#ahead = now() - this.#evenSince
  }

  /** Returns the time without a jump between readings, in milliseconds; call it regularly. */
  evenFor(): number {
    const passed = this.#stopwatch()
    const ahead = this.#now() - passed
    if (Math.abs(ahead - this.#ahead) > toleranceMs) this.#evenSince = passed
    this.#ahead = ahead
    return passed - this.#evenSince
  }
}
