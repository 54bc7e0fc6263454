import type { Clock } from '@sibyl/plugin'

/** Keeps values for a while, the ones unused for longest go first. */
export interface SizedCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/** How much is kept. */
export interface SizedCacheOptions<Value> {
  readonly clock: Clock
  readonly lifetimeMs: number
  /** The most of all sizes together. */
  readonly maxSize: number
  readonly sizeOf: (value: Value) => number
}

/** Makes an empty cache. */
export const createSizedCache = <Value>(options: SizedCacheOptions<Value>): SizedCache<Value> => {
  const { clock, lifetimeMs, maxSize, sizeOf } = options
  const entries = new Map<string, { readonly value: Value; readonly size: number; readonly until: number }>()
  let total = 0

  const drop = (key: string): void => {
    total -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (clock.now() >= entry.until) {
        drop(key)
        return undefined
      }
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value) {
      const size = sizeOf(value)
      if (size > maxSize) return
      drop(key)
      entries.set(key, { value, size, until: clock.now() + lifetimeMs })
      total += size
      for (const oldest of entries.keys()) {
        if (total <= maxSize) break
        drop(oldest)
      }
    },
  }
}
