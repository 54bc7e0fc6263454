import type { Clock } from '@sibyl/plugin'

/** Tolerated drift between clock and stopwatch between two reads, in milliseconds. */
const toleranceMs = 1_000

/**
 * Time of this process for reads and writes of rows. A jump of the clock is excluded until the rows have been shifted
 * by it.
 */
export class SessionTime {
  readonly #clock: Clock
  readonly #stopwatch: () => number
  readonly #startedAt: number
  #ahead: number
  #jumpMs = 0
  #moves = 0

  /** @param stopwatch Monotonic milliseconds with any origin. */
  constructor(clock: Clock, stopwatch: () => number = () => performance.now()) {
    this.#clock = clock
    this.#stopwatch = stopwatch
    this.#startedAt = stopwatch()
    this.#ahead = clock.now() - this.#startedAt
  }

  /** Milliseconds since 1970, as stored in rows. */
  now(): number {
    const time = this.#clock.now()
    const ahead = time - this.#stopwatch()
    if (Math.abs(ahead - this.#ahead) > toleranceMs) this.#jumpMs += ahead - this.#ahead
    this.#ahead = ahead
    return Math.round(time - this.#jumpMs)
  }

  /** Jump of the clock since the rows were shifted, in milliseconds. */
  get jumpMs(): number {
    this.now()
    return Math.round(this.#jumpMs)
  }

  /** Age of this process, in milliseconds. */
  get runningMs(): number {
    return this.#stopwatch() - this.#startedAt
  }

  /** Number of shifts of the rows: times from before a shift have another meaning afterwards. */
  get moves(): number {
    return this.#moves
  }

  /** Records a shift of the rows in milliseconds; a negative number reverts it. */
  rowsMoved(ms: number): void {
    this.#moves += 1
    this.#jumpMs -= ms
  }
}
