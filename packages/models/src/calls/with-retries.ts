import type { Logger } from '@sibyl/plugin'
import { classifyModelFailure } from '../classify-model-failure.ts'
import type { CircuitBreaker, CircuitPass } from './circuit-breaker.ts'
import { errorCauses, propertyOf } from './error-causes.ts'
import { ModelCallFailed } from './model-call-failed.ts'
import type { ModelCallLimits } from './model-call-limits.ts'
import { backOffMs, type Pace } from './pace.ts'
import { retryAfterMs } from './retry-after.ts'
import { safeModelError } from './safe-model-error.ts'

/** When a call is repeated. */
export interface RetryRules {
  readonly limits: Pick<ModelCallLimits, 'maxRetries'>
  readonly breaker: Pick<CircuitBreaker, 'admit' | 'state'>
  readonly pace: Pace
  readonly log: Logger
  /** When nobody waits for the answer any more, in milliseconds since 1970. @default 30 s from each failure on */
  readonly endsAt?: number
}

/** The longest wait before a call is repeated where no end is known, in milliseconds. */
const longestWaitMs = 30_000

/**
 * Makes a call, and again where it failed in a way that may pass: after a wait that grows, as long as the provider asks.
 * It gives up at once when that wait would outlast the turn, when the provider's circuit is open, and when it is called
 * off.
 *
 * @param attempt Fails before anything of the answer has come, or not at all.
 * @throws ModelCallFailed with the last failure's code, or `model_circuit_open`
 */
export const withRetries = async <Result>(
  rules: RetryRules,
  signal: AbortSignal | undefined,
  attempt: (pass: CircuitPass) => Promise<Result>,
): Promise<Result> => {
  const { limits, breaker, pace, log } = rules
  for (let tries = 1; ; tries += 1) {
    const pass = breaker.admit()
    if (!pass) throw new ModelCallFailed('model_circuit_open')
    try {
      return await attempt(pass)
    } catch (error) {
      if (signal?.aborted) {
        pass.dropped()
        throw signal.reason
      }
      const { retryable, code, status } = classifyModelFailure(error)
      if (retryable) pass.failed()
      else pass.answered()
      const waitMs = backOffMs(tries, askedWaitMs(error, pace.now()), pace.random)
      const endsAt = rules.endsAt ?? pace.now() + longestWaitMs
      const givesUp =
        !retryable || tries > limits.maxRetries || breaker.state === 'open' || pace.now() + waitMs >= endsAt
      if (givesUp) throw safeModelError(error)
      log.warn('a call of the language model is repeated', { code, status, tries, waitMs: Math.round(waitMs) })
      await waitUnlessAborted(pace, waitMs, signal)
    }
  }
}

/** What the provider asked for in the headers of its refusal. */
const askedWaitMs = (error: unknown, now: number): number | undefined => {
  for (const cause of errorCauses(error)) {
    const headers = propertyOf(cause, 'responseHeaders')
    if (typeof headers === 'object' && headers !== null) return retryAfterMs(headers as Record<string, string>, now)
  }
  return undefined
}

const waitUnlessAborted = async (pace: Pace, ms: number, signal: AbortSignal | undefined): Promise<void> => {
  try {
    await pace.sleep(ms, signal)
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  }
}
