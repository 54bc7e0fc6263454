import type { RateVerdict } from '@sibyl/plugin'
import { type Counted, leftOf, WindowTable, windowMs } from './window-table.ts'

/**
 * Counts requests in fixed windows of a minute that start with the first request, and never allows more than the limit
 * in one.
 */
export interface RateCounter {
  /** Counts a request. @param limit At least 1. */
  take(counted: Counted, limit: number): RateVerdict | Promise<RateVerdict>
}

/** Counts for one process, in bounded memory. */
export class MemoryCounter implements RateCounter {
  readonly #now: () => number
  readonly #windows: WindowTable<{ used: number; readonly endsAt: number }>

  /** @param now Monotonic milliseconds. */
  constructor(now: () => number = () => performance.now(), capacity?: number) {
    this.#now = now
    this.#windows = new WindowTable(capacity)
  }

  /** The number of windows. */
  get size(): number {
    return this.#windows.size
  }

  take(counted: Counted, limit: number): RateVerdict {
    const now = this.#now()
    const key = this.#windows.keyOf(counted, now)
    let window = this.#windows.find(key, now)
    if (!window) {
      window = { used: 0, endsAt: now + windowMs }
      this.#windows.set(key, window)
    }
    const allowed = window.used < limit
    if (allowed) window.used += 1
    return { allowed, limit, remaining: limit - window.used, endsInMs: leftOf(window, now) }
  }
}
