import { setTimeout as sleep } from 'node:timers/promises'
import { MatrixBusy, MatrixNotSetUp, MatrixTokenRefused, MatrixUnavailable } from '../matrix-errors.ts'
import { backOffMs } from './back-off.ts'

/** Whether a failure may pass by itself: the same is tried again. */
export const mayPass = (error: unknown): boolean =>
  error instanceof MatrixUnavailable ||
  error instanceof MatrixBusy ||
  error instanceof MatrixTokenRefused ||
  error instanceof MatrixNotSetUp

/** Waits for something that fails just now; whoever gives one knows then that others need not wait for it. */
export type Rest = <Value>(retrying: Promise<Value>) => Promise<Value>

/** Something failed so often in a row that it is to be left alone for a longer time. */
export class StillFailing extends Error {}

/** How something is done that may fail. */
export interface Persistence {
  readonly signal: AbortSignal
  /** After how many failures it is left. */
  readonly mostFailures: number
  /** Given what is tried again after a failure. */
  readonly rest: Rest
}

/**
 * Does something until it is done, refused for good, or fails too often, with growing pauses; ends with the signal.
 *
 * @throws StillFailing with the last failure as its cause; what it is refused with, or the signal's reason
 */
export const untilDone = async <Value>(
  work: () => Promise<Value>,
  { signal, mostFailures, rest }: Persistence,
): Promise<Value> => {
  const again = async (failures: number, before: unknown): Promise<Value> => {
    if (!mayPass(before)) throw before
    if (failures >= mostFailures) throw new StillFailing('It fails again and again.', { cause: before })
    await sleep(backOffMs(before, failures), undefined, { signal })
    return work().catch((error: unknown) => again(failures + 1, error))
  }
  signal.throwIfAborted()
  return work().catch((error: unknown) => rest(again(1, error)))
}
