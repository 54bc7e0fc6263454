import { defineErrors } from '../errors/define-errors.ts'
import { maxTimerMs } from './pause.ts'

export const timeErrors = defineErrors({
  timed_out: { status: 504, message: 'It took longer than {seconds} s. Try again later.' },
})

/** Options of `withTimeout`. */
export interface TimeoutOptions {
  readonly timeoutMs: number
  /** Cancels the wait: the signal of the work aborts, and the promise rejects with the reason. */
  readonly signal?: AbortSignal | undefined
  /** Creates the error of a timeout. @default `timed_out` */
  readonly error?: () => Error
}

/**
 * Runs work with a timeout. Its signal aborts at the timeout; work that ignores the signal continues, and its result is
 * dropped.
 *
 * @throws `timed_out`, or the error of the options; the reason of the signal once that aborts; the errors of the work
 * @example const rates = await withTimeout(signal => readRates(signal), { timeoutMs: 5_000, signal: call.signal })
 */
export const withTimeout = <Result>(
  work: (signal: AbortSignal) => Result | Promise<Result>,
  { timeoutMs, signal, error = () => timeErrors.timed_out({ seconds: timeoutMs / 1_000 }) }: TimeoutOptions,
): Promise<Result> => {
  if (signal?.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const ending = new AbortController()
    const close = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const fail = (reason: unknown) => {
      close()
      reject(reason)
    }
    const end = (reason: unknown) => {
      fail(reason)
      ending.abort(reason)
    }
    const onAbort = () => end(signal?.reason)
    const timer = setTimeout(() => end(error()), Math.min(timeoutMs, maxTimerMs))
    signal?.addEventListener('abort', onAbort, { once: true })
    const succeed = (result: Result) => {
      close()
      resolve(result)
    }
    try {
      Promise.resolve(work(ending.signal)).then(succeed, fail)
    } catch (thrown) {
      fail(thrown)
    }
  })
}
