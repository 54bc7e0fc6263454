/** The time and its timers, as a value that a test can hold still. Core's `Clock` fits: `schedule` may be left out. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /**
   * Runs `run` once after `delayMs` milliseconds and returns what takes it back.
   * @default the computer's timers
   */
  schedule?(delayMs: number, run: () => void): () => void
}

const LONGEST_DELAY_MS = 2 ** 31 - 1

/** The computer's clock and timers; a delay beyond 24 days fires early, at the longest one that timers take. */
export const systemClock: Required<Clock> = {
  now: () => Date.now(),
  schedule: (delayMs, run) => {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), LONGEST_DELAY_MS))
    return () => clearTimeout(timer)
  },
}
