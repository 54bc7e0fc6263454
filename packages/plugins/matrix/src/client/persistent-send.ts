import { setTimeout as sleep } from 'node:timers/promises'
import { MatrixBusy, MatrixNotSetUp, MatrixTokenRefused, MatrixUnavailable } from '../matrix-errors.ts'
import { backOffMs } from './back-off.ts'

/** Whether a failure may pass by itself: the same is tried again. */
export const mayPass = (error: unknown): boolean =>
  error instanceof MatrixUnavailable ||
  error instanceof MatrixBusy ||
  error instanceof MatrixTokenRefused ||
  error instanceof MatrixNotSetUp

/** Waits for a pause to end; whoever gives one knows then that nothing is done meanwhile. */
export type Rest = (pause: Promise<void>) => Promise<void>

/**
 * Does something until it is done or refused for good, with growing pauses; ends with the signal.
 *
 * @param rest Told of each pause.
 */
export const untilDone = async <Value>(
  work: () => Promise<Value>,
  signal: AbortSignal,
  rest: Rest = pause => pause,
): Promise<Value> => {
  for (let failures = 1; ; failures += 1) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!mayPass(error)) throw error
      await rest(sleep(backOffMs(error, failures), undefined, { signal }))
    }
  }
}
