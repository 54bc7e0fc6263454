import type { Clock } from '@sibyl/plugin'

/** Tolerated drift between clock and stopwatch between two reads, in milliseconds. */
const toleranceMs = 1_000

/** Time by which this process writes and judges sessions. A jump of the clock is left out until the rows have moved by it. */
export class SessionTime {
  readonly #clock: Clock
  readonly #stopwatch: () => number
  readonly #startedAt: number
  #ahead: number
  #jumpMs = 0
  #moves = 0

  /** @param stopwatch Milliseconds that pass evenly, from any moment on. */
  constructor(clock: Clock, stopwatch: () => number = () => performance.now()) {
    this.#clock = clock
    this.#stopwatch = stopwatch
    this.#startedAt = stopwatch()
    this.#ahead = clock.now() - this.#startedAt
  }

  /** Milliseconds since 1970, as the rows count them. */
  now(): number {
    const time = this.#clock.now()
    const ahead = time - this.#stopwatch()
    if (Math.abs(ahead - this.#ahead) > toleranceMs) this.#jumpMs += ahead - this.#ahead
    this.#ahead = ahead
    return Math.round(time - this.#jumpMs)
  }

  /** Jump of the clock since the rows were moved, in milliseconds. */
  get jumpMs(): number {
    this.now()
    return Math.round(this.#jumpMs)
  }

  /** Age of this process, in milliseconds. */
  get runningMs(): number {
    return this.#stopwatch() - this.#startedAt
  }

  /** Counts the moves of the rows: times from before a move mean something else after it. */
  get moves(): number {
    return this.#moves
  }

  /** Notes that the rows were moved by so many milliseconds; a negative number reverts it. */
  rowsMoved(ms: number): void {
    this.#moves += 1
    this.#jumpMs -= ms
  }
}
