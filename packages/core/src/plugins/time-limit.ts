/** What became of work under a time limit. */
export type Limited<Value> =
  | { readonly outcome: 'done'; readonly value: Value }
  | { readonly outcome: 'failed'; readonly error: unknown }
  | { readonly outcome: 'late' }

/**
 * Waits for work at most so long; never throws. Work that is late goes on unobserved.
 *
 * @param late Called with the value of late work that ends well after all.
 */
export const withinTime = <Value>(
  work: () => Value | Promise<Value>,
  limitMs: number,
  late?: (value: Value) => void,
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
      resolve(result)
    }
    const timer = setTimeout(() => settle({ outcome: 'late' }), limitMs)
    Promise.resolve()
      .then(work)
      .then(
        value => settle({ outcome: 'done', value }),
        error => settle({ outcome: 'failed', error }),
      )
  })
