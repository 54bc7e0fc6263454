/** Time for which rings are gathered before listeners are called, in milliseconds. */
const gatherMs = 20

/** Notifies followers in this process that there are new changes. Rings within 20 ms are one. */
export class ChangeSignal {
  readonly #listeners = new Set<() => void>()
  #isRinging = false

  ring(): void {
    if (this.#isRinging || this.#listeners.size === 0) return
    this.#isRinging = true
    setTimeout(() => {
      this.#isRinging = false
      for (const listener of [...this.#listeners]) listener()
    }, gatherMs).unref()
  }

  /** Calls back at each ring until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves at the next ring, after a while without one, or when the signal aborts. */
  next(limitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        clearTimeout(timer)
        unlisten()
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, limitMs)
      const unlisten = this.listen(done)
      signal.addEventListener('abort', done)
      if (signal.aborted) done()
    })
  }
}
