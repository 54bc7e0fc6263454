/** Runs work under a key one after the other, and work under different keys at once. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs `work` when all work given before under this key has ended, however it ended. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const now = before === undefined ? work() : before.then(work, work)
    this.#last.set(key, now)
    const forget = () => {
      if (this.#last.get(key) === now) this.#last.delete(key)
    }
    now.then(forget, forget)
    return now
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values())
  }
}
