/** Longest delay of a timer, in milliseconds; a longer one ends at once. */
export const maxTimerMs = 2 ** 31 - 1

/** Waits so many milliseconds. Rejects with the reason of the signal as soon as that aborts. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      },
      Math.min(Math.max(ms, 0), maxTimerMs),
    )
    signal?.addEventListener('abort', onAbort, { once: true })
  })
