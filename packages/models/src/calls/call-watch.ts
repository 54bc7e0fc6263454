/** The reason why a request ended without an answer: a timeout, or a cancellation by the caller. */
export type CallCut = { readonly kind: 'late' } | { readonly kind: 'called_off'; readonly reason: unknown }

/** Watches one request to a provider: it can be called off from outside, and ends when nothing comes for too long. */
export class CallWatch {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined
  #timer: NodeJS.Timeout | undefined
  #waiting = true
  #onCut: (cut: CallCut) => void
  #cut: CallCut | undefined
  #ended = false

  /**
   * @param outer Aborts when the caller cancels.
   * @param limitMs Timeout for the first data, in milliseconds.
   * @param onCut Called once if it ends before `end` or `breakOff`.
   */
  constructor(outer: AbortSignal | undefined, limitMs: number, onCut: (cut: CallCut) => void) {
    this.#outer = outer
    this.#onCut = onCut
    this.#timer = this.#start(limitMs)
    if (outer?.aborted) this.#onAbort()
    else outer?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Aborts the request. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Replaces the listener of the end, and starts another timeout. */
  handOver(limitMs: number, onCut: (cut: CallCut) => void): void {
    if (this.#cut) {
      onCut(this.#cut)
      return
    }
    this.#onCut = onCut
    clearTimeout(this.#timer)
    this.#timer = this.#start(limitMs)
  }

  /** Starts or stops the timeout, depending on whether a reader waits for the provider. */
  waits(waiting: boolean): void {
    this.#waiting = waiting
  }

  /** Restarts the timeout after data arrived. */
  came(): void {
    this.#timer?.refresh()
  }

  /** The request is over: all of it has come. */
  end(): void {
    this.#settle()
  }

  /** The request is over; what is left of it is broken off. */
  breakOff(): void {
    this.#settle()
    this.#controller.abort()
  }

  #start(limitMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      if (this.#waiting) this.#stop({ kind: 'late' })
      else this.#timer?.refresh()
    }, limitMs)
  }

  readonly #onAbort = (): void => this.#stop({ kind: 'called_off', reason: this.#outer?.reason })

  #stop(cut: CallCut): void {
    if (this.#ended) return
    this.#settle()
    this.#cut = cut
    this.#onCut(cut)
    this.#controller.abort()
  }

  #settle(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#onAbort)
  }
}
