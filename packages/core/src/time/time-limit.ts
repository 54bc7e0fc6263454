import { withTimeout } from '@sibyl/plugin'

/** The result of work with a time limit. */
export type Limited<Value> =
  | { readonly outcome: 'done'; readonly value: Value }
  | { readonly outcome: 'failed'; readonly error: unknown }
  | { readonly outcome: 'late' }
  | { readonly outcome: 'aborted' }

export interface TimeLimit<Value> {
  readonly limitMs: number
  /** Stops waiting when it aborts. */
  readonly signal?: AbortSignal
  /** Called with the value of work that succeeds after the limit. */
  readonly late?: (value: Value) => void
}

/** Waits for work up to a time limit; never throws. Late work continues in the background. */
export const withinTime = async <Value>(
  work: () => Value | Promise<Value>,
  { limitMs, signal, late }: TimeLimit<Value>,
): Promise<Limited<Value>> => {
  const expired = new Error('the time limit was exceeded')
  let isOver = false
  const counted = async () => {
    const value = await work()
    if (isOver) late?.(value)
    return value
  }
  try {
    const value = await withTimeout(counted, { timeoutMs: limitMs, signal, error: () => expired })
    return { outcome: 'done', value }
  } catch (error) {
    isOver = true
    if (error === expired) return { outcome: 'late' }
    return signal?.aborted && error === signal.reason ? { outcome: 'aborted' } : { outcome: 'failed', error }
  }
}
