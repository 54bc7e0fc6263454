import type { Clock } from '@sibyl/plugin'

/** Keeps what was loaded for a while, and lets all who ask at the same time share one load. */
export interface Cache<Value> {
  /** The value of `key`: kept, being loaded, or loaded now. A load that fails is not kept. */
  get(key: string, load: () => Promise<Value>): Promise<Value>
}

/** How a cache keeps its values. */
export interface CacheOptions {
  readonly clock: Clock
  /** Milliseconds a value is kept, from the end of its load. */
  readonly lifetimeMs: number
  /** Values kept at most; the one unused for longest goes first. */
  readonly maxEntries: number
}

interface Entry<Value> {
  readonly value: Promise<Value>
  /** Milliseconds since 1970; infinite while it loads. */
  expiresAt: number
}

/** Makes an empty cache. */
export const createCache = <Value>({ clock, lifetimeMs, maxEntries }: CacheOptions): Cache<Value> => {
  const entries = new Map<string, Entry<Value>>()

  const keep = (key: string, entry: Entry<Value>) => {
    entries.delete(key)
    entries.set(key, entry)
    const [longestUnused] = entries.keys()
    if (entries.size > maxEntries && longestUnused !== undefined) entries.delete(longestUnused)
  }

  const start = (key: string, load: () => Promise<Value>): Entry<Value> => {
    const entry: Entry<Value> = { value: load(), expiresAt: Number.POSITIVE_INFINITY }
    entry.value.then(
      () => {
        entry.expiresAt = clock.now() + lifetimeMs
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key)
      },
    )
    return entry
  }

  return {
    get(key, load) {
      const known = entries.get(key)
      const entry = known && clock.now() < known.expiresAt ? known : start(key, load)
      keep(key, entry)
      return entry.value
    },
  }
}
