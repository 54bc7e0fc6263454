import type { Logger } from '@sibyl/plugin'
import { classifyModelFailure } from '../failures/classify-model-failure.ts'
import { errorCauses, propertyOf } from '../failures/error-causes.ts'
import { ModelCallFailed } from '../failures/model-call-failed.ts'
import { safeModelError } from '../failures/safe-model-error.ts'
import { type ProviderVariables, upstreamReason, variableToCheck } from '../failures/upstream-reason.ts'
import type { CircuitBreaker, CircuitPass } from './circuit-breaker.ts'
import type { ModelCallLimits } from './model-call-limits.ts'
import { backOffMs, type Pace } from './pace.ts'

/** When a call is repeated. */
export interface RetryRules {
  readonly limits: Pick<ModelCallLimits, 'maxRetries'>
  readonly breaker: Pick<CircuitBreaker, 'admit' | 'state'>
  readonly pace: Pace
  readonly log: Logger
  /** Variables that the log names after a failure. @default none */
  readonly variables?: ProviderVariables
  /** When the caller stops waiting, in milliseconds since 1970. @default 30 s after each failure */
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
      // A provider that limits calls works, and says when to call again.
      if (retryable && status !== 429) pass.failed()
      else pass.answered()
      const waitMs = backOffMs(tries, askedWaitMs(error, pace.now()), pace.random)
      const endsAt = rules.endsAt ?? pace.now() + longestWaitMs
      const givesUp =
        !retryable || tries > limits.maxRetries || breaker.state === 'open' || pace.now() + waitMs >= endsAt
      if (givesUp) {
        const reason = upstreamReason(error)
        const check = variableToCheck(code, rules.variables ?? {})
        log.warn('a call of the language model failed and is not retried', {
          ...{ code, status, tries },
          reason,
          check,
        })
        throw safeModelError(error)
      }
      log.warn('a call of the language model is retried', { code, status, tries, waitMs: Math.round(waitMs) })
      await waitUnlessAborted(pace, waitMs, signal)
    }
  }
}

/** Returns the delay that the provider requests in the headers of its error response. */
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

/**
 * Reads how long a provider asks to be left alone: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date
 * (RFC 9110, section 10.2.3). What is neither, such as a negative number, counts as not said.
 *
 * @param headers Names in lower case.
 * @param now Milliseconds since 1970.
 * @returns Milliseconds from now on, 0 for a moment that has passed; of any size.
 */
export const retryAfterMs = (
  headers: Readonly<Record<string, string | undefined>>,
  now: number,
): number | undefined => {
  const precise = headers['retry-after-ms']?.trim()
  if (precise !== undefined && digits.test(precise)) return Number(precise)
  const text = headers['retry-after']?.trim()
  if (text === undefined) return undefined
  if (digits.test(text)) return Number(text) * 1000
  const moment = httpDate.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}

const digits = /^\d{1,300}(\.\d{1,300})?$/
const httpDate = /^[A-Z][a-z]{2,8},? [\w:, -]{10,40}$/
