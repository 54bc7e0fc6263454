import type { Logger } from '@sibyl/plugin'
import type { RateVerdict } from '@sibyl/plugin/host'
import { withinTime } from '../time/time-limit.ts'
import { type LimitUsage, limitUsage, MemoryCounter, type RateCounter } from './rate-counter.ts'
import type { Grant, ShareRequest } from './shared-windows.ts'
import { type Counted, leftOf, WindowTable } from './window-table.ts'

/** Timeout of the shared counts, in milliseconds. */
const patienceMs = 1_000

/** Pause after the shared counts failed, in milliseconds. */
const pauseMs = 5_000

/** The share of the rest that a process reserves beyond its current need. */
const spareShare = 0.1

/** Maximum keys in one statement. */
const largestBatch = 500

/** The window of a key, as known to a process. */
interface SharedWindow {
  readonly endsAt: number
  /** Reserved from the shared count and not used yet. */
  held: number
  /** The rest for all processes at the last read. */
  left: number
  readonly limit: number
}

interface Waiting {
  readonly counted: Counted
  readonly key: string
  readonly limit: number
  readonly resolve: (verdict: RateVerdict) => void
}

export interface SharedCounterParts {
  /** Reserves parts of the shared allowances; see `takeShares`. */
  readonly take: (requests: readonly ShareRequest[]) => Promise<Grant[]>
  readonly log: Logger
  /** Monotonic milliseconds. @default performance.now */
  readonly now?: () => number
  readonly capacity?: number
}

/**
 * Counts for all processes of one database. A process reserves a tenth of the rest and uses it before it requests more,
 * so that most requests need no database, and the sum of all processes never exceeds the limit. Waiting keys share one
 * statement, and one statement runs at a time. While the database fails, each process counts alone: a limit is then at
 * most multiplied by the number of processes.
 */
export class SharedCounter implements RateCounter {
  readonly #parts: SharedCounterParts
  readonly #now: () => number
  readonly #windows: WindowTable<SharedWindow>
  readonly #alone: MemoryCounter
  #waiting: Waiting[] = []
  #asking = false
  #awayUntil = Number.NEGATIVE_INFINITY

  constructor(parts: SharedCounterParts) {
    this.#parts = parts
    this.#now = parts.now ?? (() => performance.now())
    this.#windows = new WindowTable(parts.capacity)
    this.#alone = new MemoryCounter(this.#now, parts.capacity)
  }

  take(counted: Counted, limit: number): RateVerdict | Promise<RateVerdict> {
    const now = this.#now()
    const key = this.#windows.keyOf(counted, now)
    const known = this.#fromWindow(key, limit, now)
    if (known) return known
    if (now < this.#awayUntil) return this.#alone.take(counted, limit)
    return new Promise(resolve => {
      this.#waiting.push({ counted, key, limit, resolve })
      if (!this.#asking) void this.#ask()
    })
  }

  usage(): readonly LimitUsage[] {
    return limitUsage(this.#shares(this.#now()))
  }

  *#shares(now: number): Generator<readonly [string, number]> {
    for (const [key, { held, left, limit }] of this.#windows.open(now)) yield [key, 1 - (held + left) / limit]
  }

  /** Returns the verdict if it needs no database. */
  #fromWindow(key: string, limit: number, now: number): RateVerdict | undefined {
    const window = this.#windows.find(key, now)
    if (!window || (window.held === 0 && window.left > 0)) return undefined
    const allowed = window.held > 0
    if (allowed) window.held -= 1
    return { allowed, limit, remaining: window.held + window.left, endsInMs: leftOf(window, now) }
  }

  async #ask(): Promise<void> {
    this.#asking = true
    // Requests of the same turn of the event loop share a batch.
    await new Promise(resolve => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, largestBatch)
      const askedAt = this.#now()
      const work = this.#parts.take(this.#requestsOf(batch))
      const result = await withinTime(() => work, { limitMs: patienceMs })
      if (result.outcome === 'done') this.#share(result.value, batch, askedAt)
      else {
        this.#countAlone(batch, result.outcome === 'failed' ? result.error : undefined)
        await work.catch(() => {})
        this.#awayUntil = this.#now() + pauseMs
      }
    }
    this.#asking = false
  }

  #requestsOf(batch: readonly Waiting[]): ShareRequest[] {
    const now = this.#now()
    const requests = new Map<string, { key: string; limit: number; count: number }>()
    for (const { key, limit } of batch) {
      const request = requests.get(key)
      if (request) request.count += 1
      else {
        const left = this.#windows.find(key, now)?.left ?? limit
        requests.set(key, { key, limit, count: 1 + Math.floor(left * spareShare) })
      }
    }
    return [...requests.values()].map(({ key, limit, count }) => ({ key, limit, count: Math.min(count, limit) }))
  }

  #share(grants: readonly Grant[], batch: readonly Waiting[], askedAt: number): void {
    const now = this.#now()
    const limits = new Map(batch.map(({ key, limit }) => [key, limit]))
    for (const { key, granted, left, endsInMs } of grants) {
      const held = this.#windows.find(key, now)?.held ?? 0
      this.#windows.set(key, { endsAt: askedAt + endsInMs, held: held + granted, left, limit: limits.get(key) ?? left })
    }
    for (const one of batch) {
      const verdict = this.#fromWindow(one.key, one.limit, now)
      if (verdict) one.resolve(verdict)
      else this.#waiting.push(one)
    }
  }

  #countAlone(batch: readonly Waiting[], error: unknown): void {
    this.#awayUntil = Number.POSITIVE_INFINITY
    this.#parts.log.warn('the shared rate counts are unavailable; this process counts alone', { error })
    for (const { counted, limit, resolve } of [...batch, ...this.#waiting.splice(0)]) {
      resolve(this.#alone.take(counted, limit))
    }
  }
}
