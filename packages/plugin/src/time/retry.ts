import { pause } from './pause.ts'

/** Options of an exponential backoff. */
export interface BackoffOptions {
  /** Delay after the first failure, in milliseconds. */
  readonly firstMs: number
  /** Maximum delay, in milliseconds. */
  readonly maxMs: number
  /** Random share of a delay, from 0 to 1: with 0.2 a delay of 10 s becomes 8 s to 10 s. @default 0.2 */
  readonly jitter?: number
  /** At least 0 and below 1. @default Math.random */
  readonly random?: () => number
}

/**
 * Returns a function from the number of consecutive failures, from 1, to a delay in milliseconds that doubles up to a
 * maximum.
 */
export const backoff =
  ({ firstMs, maxMs, jitter = 0.2, random = Math.random }: BackoffOptions) =>
  (failures: number): number =>
    Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 40)) * (1 - jitter * random())

/** Options of `retry`. */
export interface RetryOptions {
  /** Maximum attempts, including the first. `Infinity` retries until the signal aborts. */
  readonly attempts: number
  /** Returns the delay before the next attempt, in milliseconds. @default none */
  readonly delayMs?: (failures: number, error: unknown) => number
  /** Returns whether an error may be temporary. @default every error */
  readonly shouldRetry?: (error: unknown) => boolean
  /** Called before each delay, for the log. */
  readonly onRetry?: (error: unknown, failures: number, delayMs: number) => void
  /** Cancels attempts and delays. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs work until it succeeds.
 *
 * @param work Receives the number of the attempt, from 1.
 * @throws the error of the last attempt; the reason of the signal once that aborts
 * @example await retry(() => post(url), { attempts: 3, delayMs: backoff({ firstMs: 500, maxMs: 10_000 }), signal })
 */
export const retry = async <Result>(
  work: (attempt: number) => Promise<Result>,
  { attempts, delayMs = () => 0, shouldRetry = () => true, onRetry, signal }: RetryOptions,
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    try {
      return await work(attempt)
    } catch (error) {
      signal?.throwIfAborted()
      if (attempt >= attempts || !shouldRetry(error)) throw error
      const delay = delayMs(attempt, error)
      onRetry?.(error, attempt, delay)
      if (delay > 0) await pause(delay, signal)
    }
  }
}
