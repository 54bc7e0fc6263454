/** The result of work with a time limit. */
export type Limited<Value> =
  | { readonly outcome: 'done'; readonly value: Value }
  | { readonly outcome: 'failed'; readonly error: unknown }
  | { readonly outcome: 'late' }
  | { readonly outcome: 'aborted' }

/** Options of a time limit. */
export interface TimeLimit<Value> {
  readonly limitMs: number
  /** Stops waiting when it aborts. */
  readonly signal?: AbortSignal
  /** Called with the value of work that succeeds after the limit. */
  readonly late?: (value: Value) => void
}

/** Waits for work up to a time limit; never throws. Late work continues in the background. */
export const withinTime = <Value>(
  work: () => Value | Promise<Value>,
  { limitMs, signal, late }: TimeLimit<Value>,
): Promise<Limited<Value>> =>
  new Promise(resolve => {
    let over = false
    const settle = (result: Limited<Value>) => {
      if (over) {
        if (result.outcome === 'done') late?.(result.value)
        return
      }
      over = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      resolve(result)
    }
    const onAbort = () => settle({ outcome: 'aborted' })
    const timer = setTimeout(() => settle({ outcome: 'late' }), limitMs)
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort)
    Promise.resolve()
      .then(work)
      .then(
        value => settle({ outcome: 'done', value }),
        error => settle({ outcome: 'failed', error }),
      )
  })
