/** Tells whoever waits that something changed. */
export class Changes {
  #waiting = new Set<() => void>()
  #isReported = false

  /** Wakes all who wait, once for all changes of this turn of the event loop. */
  report(): void {
    if (this.#isReported) return
    this.#isReported = true
    setImmediate(() => {
      this.#isReported = false
      const waiting = this.#waiting
      this.#waiting = new Set()
      for (const wake of waiting) wake()
    })
  }

  /** Resolves at the next change, at the end of the time (in milliseconds), or with the signal. */
  wait(timeoutMs?: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs)
    this.#waiting.add(resolve)
    signal?.addEventListener('abort', () => resolve(), { once: true })
    return promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(resolve)
    })
  }

  /** The first value that a look gives, now or after a change. */
  async until<Value>(check: () => Value | undefined | false): Promise<Value> {
    for (;;) {
      const found = check()
      if (found !== undefined && found !== false) return found
      await this.wait()
    }
  }
}
