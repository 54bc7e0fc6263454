/** The time, as a value that a test can hold still. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

/** The computer's clock. */
export const systemClock: Clock = { now: () => Date.now() }
