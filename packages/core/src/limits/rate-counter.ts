import type { RateVerdict } from '@sibyl/plugin/host'
import { type Counted, leftOf, WindowTable, windowMs } from './window-table.ts'

/**
 * Counts requests in fixed windows of a minute that start with the first request, and never allows more than the limit
 * in one.
 */
export interface RateCounter {
  /** Counts a request. @param limit At least 1. */
  take(counted: Counted, limit: number): RateVerdict | Promise<RateVerdict>
  /** Returns the use of the open windows of this process, by the limited resource; names no caller. */
  usage(): readonly LimitUsage[]
}

/** Use of the open windows of one limit. */
export interface LimitUsage {
  /** The limited resource: `address`, `did`, or `<plugin>/<name>`. */
  readonly name: string
  /** The number of callers in this minute. */
  readonly callers: number
  /** The number of them that have reached the limit. */
  readonly limited: number
  /** The share that the busiest caller has used, from 0 to 1. */
  readonly fullest: number
}

/** Sums up windows by their limited resource, which is their key up to the first colon. */
export const limitUsage = (windows: Iterable<readonly [key: string, share: number]>): LimitUsage[] => {
  const usages = new Map<string, { callers: number; limited: number; fullest: number }>()
  for (const [key, share] of windows) {
    const name = key.slice(0, key.indexOf(':'))
    const usage = usages.get(name) ?? { callers: 0, limited: 0, fullest: 0 }
    usage.callers += 1
    if (share >= 1) usage.limited += 1
    usage.fullest = Math.max(usage.fullest, Math.min(1, share))
    usages.set(name, usage)
  }
  return [...usages].map(([name, usage]) => ({ name, ...usage }))
}

/** Counts for one process, in bounded memory. */
export class MemoryCounter implements RateCounter {
  readonly #now: () => number
  readonly #windows: WindowTable<{ used: number; limit: number; readonly endsAt: number }>

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
      window = { used: 0, limit, endsAt: now + windowMs }
      this.#windows.set(key, window)
    }
    window.limit = limit
    const allowed = window.used < limit
    if (allowed) window.used += 1
    return { allowed, limit, remaining: limit - window.used, endsInMs: leftOf(window, now) }
  }

  usage(): readonly LimitUsage[] {
    return limitUsage(this.#shares(this.#now()))
  }

  *#shares(now: number): Generator<readonly [string, number]> {
    for (const [key, { used, limit }] of this.#windows.open(now)) yield [key, used / limit]
  }
}
