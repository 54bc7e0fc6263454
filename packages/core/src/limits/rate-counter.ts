import type { RateVerdict } from '@sibyl/plugin'
import { type Counted, leftOf, WindowTable, windowMs } from './window-table.ts'

/** Counts requests in fixed windows of a minute that begin with the first: never more than the limit in one of them. */
export interface RateCounter {
  /** Counts a request. @param limit At least 1. */
  take(counted: Counted, limit: number): RateVerdict | Promise<RateVerdict>
}

/** Counts for one process, in memory that is bounded. */
export class MemoryCounter implements RateCounter {
  readonly #now: () => number
  readonly #windows: WindowTable<{ used: number; readonly endsAt: number }>

  /** @param now Milliseconds that never go back. */
  constructor(now: () => number = () => performance.now(), capacity?: number) {
    this.#now = now
    this.#windows = new WindowTable(capacity)
  }

  /** How many windows it holds. */
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
