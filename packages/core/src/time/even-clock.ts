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
  readonly #onJump: (seconds: number) => void

  /**
   * @param now The clock, in milliseconds since 1970; it may jump.
   * @param stopwatch Monotonic milliseconds.
   * @param onJump Called after a jump, with its length.
   */
  constructor(now: () => number, stopwatch = () => performance.now(), onJump = (_: number): void => {}) {
    this.#onJump = onJump
    this.#now = now
    this.#stopwatch = stopwatch
    this.#evenSince = stopwatch()
    this.#ahead = now() - this.#evenSince
  }

  /** Returns the time without a jump between readings, in milliseconds; call it regularly. */
  evenFor(): number {
    const passed = this.#stopwatch()
    const ahead = this.#now() - passed
    const jumpedMs = ahead - this.#ahead
    if (Math.abs(jumpedMs) > toleranceMs) {
      this.#evenSince = passed
      this.#onJump(Math.round(jumpedMs / 1_000))
    }
    this.#ahead = ahead
    return passed - this.#evenSince
  }
}
