import { NetworkError, ProblemError, UnexpectedResponseError } from '@sibyl/client'
import { pause, reconnectDelay } from '@sibyl/client/requests'
import type { RepeatPolicy } from './http-registry-options.ts'

/** One request, as far as repeating it goes. */
export interface Repeatable {
  /** Whether sending it twice does what sending it once does. */
  readonly safe: boolean
  readonly policy: RepeatPolicy
  /** Time limit of the whole call, in milliseconds; no retry waits longer. */
  readonly timeLimitMs: number
  /** Aborts when they are over. */
  readonly signal: AbortSignal
}

/**
 * Sends a request until it is answered or there is no use in another try. What cannot be sent twice is repeated only where
 * it was turned away at the door.
 *
 * @param send Makes one try, under a fresh credential.
 * @throws the error of the last try
 */
export const repeatRequest = async <Result>(request: Repeatable, send: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      if (attempt > request.policy.tries || !mayRepeat(error, request.safe)) throw error
      const asked = error instanceof ProblemError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
      const delay = Math.max(asked, reconnectDelay(request.policy, attempt))
      if (delay > request.timeLimitMs) throw error
      await pause(delay, request.signal).catch(() => {
        throw error
      })
    }
  }
}

const passing = new Set([502, 503, 504])

const mayRepeat = (error: unknown, safe: boolean): boolean => {
  if (error instanceof ProblemError) {
    if (error.status === 429) return true
    return safe && error.status === 503 && error.retryAfterSeconds !== undefined
  }
  if (error instanceof UnexpectedResponseError) return safe && passing.has(error.status)
  return safe && error instanceof NetworkError
}
