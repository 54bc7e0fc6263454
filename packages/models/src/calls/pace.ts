import { setTimeout as sleep } from 'node:timers/promises'

/** The computer's own time and chance. */
export const systemPace = (now: () => number = Date.now) => ({
  /** Milliseconds since 1970. */
  now,
  /** Returns monotonic milliseconds, unaffected by changes of the clock. */
  stopwatch: (): number => performance.now(),
  /** At least 0 and below 1. */
  random: Math.random,
  /** Waits so many milliseconds; rejects as soon as the signal aborts. */
  sleep: (ms: number, signal: AbortSignal | undefined): Promise<void> => sleep(ms, undefined, signal ? { signal } : {}),
})

/** Time and chance, as values that a test can hold still. */
export type Pace = ReturnType<typeof systemPace>

const firstBackOffMs = 500

/**
 * Returns the delay before a retry, in milliseconds: the time that the provider requests, plus a random share of a time
 * that doubles with each attempt.
 *
 * @param tries The number of attempts, at least 1.
 * @param askedMs The time that the provider requests.
 */
export const backOffMs = (tries: number, askedMs: number | undefined, random: () => number): number =>
  (askedMs ?? 0) + random() * firstBackOffMs * 2 ** (tries - 1)
