import { backoff, retry } from '@sibyl/plugin'
import { matrixErrors } from './matrix-errors.ts'

/** Delays of a room that rejects messages while others accept them, in milliseconds. */
const inRoom = { leastMs: 1_000, mostMs: 900_000 }
/** Longest delay that a homeserver may request, in milliseconds. */
const longestAskedMs = 300_000

const growing = backoff({ firstMs: 500, maxMs: 60_000, jitter: 0.5 })

/**
 * Returns the delay after a failure in milliseconds: the homeserver's request, or one that doubles, with jitter.
 *
 * @param failures Number of consecutive failures, from 1.
 */
export const backOffMs = (error: unknown, failures: number): number =>
  matrixErrors.matrix_busy.is(error)
    ? Math.min(longestAskedMs, Math.max(250, Number(error.facts.retryAfterMs))) + Math.random() * 250 * failures
    : growing(failures)

/**
 * Returns the pause of a room that rejects messages while others accept them: a quarter of the time its message has
 * waited.
 */
export const roomPauseMs = (waitedMs: number): number =>
  Math.min(inRoom.mostMs, Math.max(inRoom.leastMs, waitedMs / 4)) * (0.75 + Math.random() / 2)

const passing = [
  matrixErrors.matrix_unavailable,
  matrixErrors.matrix_busy,
  matrixErrors.matrix_token_refused,
  matrixErrors.matrix_not_set_up,
  matrixErrors.matrix_encryption_failed,
  matrixErrors.matrix_encryption_off,
]

/** Returns whether a failure may be temporary. */
export const mayPass = (error: unknown): boolean => passing.some(one => one.is(error))

/** Called with an attempt that is retried, so that the caller can release its slot. */
export type Rest = <Value>(retrying: Promise<Value>) => Promise<Value>

/** Sending failed so often in a row that the room is postponed. */
export class StillFailing extends Error {}

export interface Persistence {
  readonly signal: AbortSignal
  readonly maxFailures: number
  readonly rest: Rest
}

/**
 * Sends until it succeeds, with growing delays.
 *
 * @throws StillFailing with the last failure as its cause; a permanent rejection, or the signal's reason
 */
export const untilDone = async <Value>(
  work: () => Promise<Value>,
  { signal, maxFailures, rest }: Persistence,
): Promise<Value> => {
  signal.throwIfAborted()
  const first = work()
  const again = () =>
    retry(attempt => (attempt === 1 ? first : work()), {
      attempts: maxFailures,
      shouldRetry: mayPass,
      delayMs: (failures, error) => backOffMs(error, failures),
      signal,
    })
  return first
    .catch(() => rest(again()))
    .catch((cause: unknown) => {
      throw mayPass(cause) ? new StillFailing('It fails repeatedly.', { cause }) : cause
    })
}
