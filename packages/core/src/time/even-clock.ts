/** The most that clock and stopwatch may drift apart between two readings, in milliseconds. */
const toleranceMs = 1_000

/**
 * Tells for how long the computer's clock has run evenly. What seems to have expired may not have when the clock has
 * just jumped; after an even while as long as the life of a thing, it has.
 */
export class EvenClock {
  readonly #now: () => number
  readonly #stopwatch: () => number
  #ahead: number
  #evenSince: number

  /**
   * @param now The clock, in milliseconds since 1970; it may jump.
   * @param stopwatch Milliseconds that pass evenly, from any moment on.
   */
  constructor(now: () => number, stopwatch: () => number = () => performance.now()) {
    this.#now = now
    this.#stopwatch = stopwatch
    this.#evenSince = stopwatch()
    this.#ahead = now() - this.#evenSince
  }

  /** For how long there was no jump as far as was looked, in milliseconds; to be asked every now and then. */
  evenFor(): number {
    const passed = this.#stopwatch()
    const ahead = this.#now() - passed
    if (Math.abs(ahead - this.#ahead) > toleranceMs) this.#evenSince = passed
    this.#ahead = ahead
    return passed - this.#evenSince
  }
}
