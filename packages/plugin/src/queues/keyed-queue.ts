import { defineErrors } from '../errors/define-errors.ts'

export const queueErrors = defineErrors({
  queue_full: { status: 503, message: 'More than {limit} requests are waiting. Try again in a minute.' },
})

/** Limits of `KeyedQueue`. */
export interface KeyedQueueOptions {
  /** Maximum concurrent work. @default Infinity */
  readonly concurrency?: number
  /** Maximum waiting work. @default Infinity */
  readonly maxWaiting?: number
}

interface QueuedWork {
  readonly key: unknown
  readonly start: () => Promise<void>
}

/**
 * Runs work of one key in order, and work of different keys concurrently; in the memory of this process. Failed work
 * does not block the next one.
 */
export class KeyedQueue {
  readonly #concurrency: number
  readonly #maxWaiting: number
  /** Work behind the first of each key, which runs or is in `#ready`; undefined where nothing has waited yet. */
  readonly #behind = new Map<unknown, QueuedWork[] | undefined>()
  /** The first work of each key that does not run, because too much other work does. */
  readonly #ready: QueuedWork[] = []
  #running = 0
  #waiting = 0
  #emptied: PromiseWithResolvers<void> | undefined

  constructor({
    concurrency = Number.POSITIVE_INFINITY,
    maxWaiting = Number.POSITIVE_INFINITY,
  }: KeyedQueueOptions = {}) {
    this.#concurrency = concurrency
    this.#maxWaiting = maxWaiting
  }

  /**
   * Runs work once all earlier work of the key has ended, or immediately.
   *
   * @param signal Cancels the wait; running work continues.
   * @throws `queue_full`, the reason of the signal, and the errors of the work
   */
  run<Result>(key: unknown, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const isBehind = this.#behind.has(key)
    if (!isBehind && this.#running < this.#concurrency) return this.#runNow(key, work)
    if (this.#waiting >= this.#maxWaiting) {
      return Promise.reject(queueErrors.queue_full({ limit: this.#maxWaiting }))
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const giveUp = () => {
      this.#remove(queued)
      reject(signal?.reason)
    }
    const queued: QueuedWork = {
      key,
      start: async () => {
        signal?.removeEventListener('abort', giveUp)
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      },
    }
    this.#waiting += 1
    const behind = this.#behind.get(key)
    if (behind) behind.push(queued)
    else this.#behind.set(key, isBehind ? [queued] : undefined)
    if (!isBehind) this.#ready.push(queued)
    signal?.addEventListener('abort', giveUp, { once: true })
    return promise
  }

  /** Resolves when nothing runs or waits. */
  idle(): Promise<void> {
    if (this.#behind.size === 0) return Promise.resolve()
    this.#emptied ??= Promise.withResolvers()
    return this.#emptied.promise
  }

  /** Runs work that waits for nothing; the caller gets its own promise. */
  #runNow<Result>(key: unknown, work: () => Promise<Result>): Promise<Result> {
    this.#behind.set(key, undefined)
    this.#running += 1
    const ended = () => this.#ended(key)
    let running: Promise<Result>
    try {
      running = work()
    } catch (error) {
      running = Promise.reject(error)
    }
    running.then(ended, ended)
    return running
  }

  #ended(key: unknown): void {
    this.#running -= 1
    this.#follow(key)
    this.#startReady()
  }

  #startReady(): void {
    while (this.#running < this.#concurrency) {
      const next = this.#ready.shift()
      if (!next) return
      this.#waiting -= 1
      this.#running += 1
      void next.start().then(() => this.#ended(next.key))
    }
  }

  /** Makes the next work of a key ready, or forgets the key. */
  #follow(key: unknown): void {
    const next = this.#behind.get(key)?.shift()
    if (next) this.#ready.push(next)
    else this.#behind.delete(key)
    if (this.#behind.size > 0) return
    this.#emptied?.resolve()
    this.#emptied = undefined
  }

  #remove(queued: QueuedWork): void {
    this.#waiting -= 1
    const place = this.#ready.indexOf(queued)
    if (place >= 0) {
      this.#ready.splice(place, 1)
      this.#follow(queued.key)
      return
    }
    const behind = this.#behind.get(queued.key) ?? []
    behind.splice(behind.indexOf(queued), 1)
  }
}
