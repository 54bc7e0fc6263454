interface Wait {
  /** Time of the stopwatch. */
  readonly until: number
  readonly giveUp: () => void
}

/** Limits the wait for replies to one duration. A single timer serves all, because one per request is expensive. */
export class ReplyDeadlines {
  readonly #limitMs: number
  /** The oldest first. */
  readonly #waits = new Set<Wait>()
  #timer: NodeJS.Timeout | undefined

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** Returns a reply, or rejects with the error of `late` after the limit. */
  within<Reply>(reply: Promise<Reply>, late: () => Error): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const wait = { until: performance.now() + this.#limitMs, giveUp: () => reject(late()) }
      this.#waits.add(wait)
      if (this.#timer === undefined) this.#checkIn(this.#limitMs)
      reply.then(
        value => {
          this.#waits.delete(wait)
          resolve(value)
        },
        error => {
          this.#waits.delete(wait)
          reject(error)
        },
      )
    })
  }

  #checkIn(ms: number): void {
    this.#timer = setTimeout(() => this.#check(), ms).unref()
  }

  #check(): void {
    this.#timer = undefined
    const now = performance.now()
    for (const wait of this.#waits) {
      if (wait.until > now) {
        this.#checkIn(wait.until - now)
        return
      }
      this.#waits.delete(wait)
      wait.giveUp()
    }
  }
}
