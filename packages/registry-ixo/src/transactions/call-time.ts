import { setTimeout } from 'node:timers/promises'
import { ChainUnreachableError } from '../errors/node-errors.ts'

/** The time of one call: until it is over, or the caller gives up. */
export interface CallTime {
  readonly limitMs: number
  /** Aborts at the end of the time, or with the caller's reason. */
  readonly signal: AbortSignal
  /** Whether the time is over, as against a caller that gave up. */
  isOver(): boolean
  /** Waits. @throws the signal's reason when it aborts meanwhile */
  pause(milliseconds: number): Promise<void>
}

/** Runs a call with a time limit. */
export type RunCall = <Result>(work: (time: CallTime) => Promise<Result>) => Promise<Result>

/**
 * Makes what runs calls in their time; one that takes longer throws ChainUnreachableError (`chain_unreachable`).
 *
 * @param host Of the node, for people.
 * @param abort The caller's own signal, whose reason is thrown when it aborts.
 */
export const callRunner = (host: string, limitMs: number, abort: AbortSignal | undefined): RunCall => {
  return async work => {
    const timeout = AbortSignal.timeout(limitMs)
    const signal = abort ? AbortSignal.any([timeout, abort]) : timeout
    signal.throwIfAborted()
    const isOver = () => timeout.aborted && signal.reason === timeout.reason
    const pause = (milliseconds: number) =>
      setTimeout(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted())
    try {
      return await work({ limitMs, signal, isOver, pause })
    } catch (error) {
      if (!isOver() || error !== signal.reason) throw error
      throw new ChainUnreachableError(host, `no response within ${limitMs} ms`, { cause: error })
    }
  }
}
