/** The time, as a value that tests can control. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

/** The clock of the computer. */
export const systemClock: Clock = { now: () => Date.now() }
