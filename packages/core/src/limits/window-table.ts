/** The subject of a count. */
export interface Counted {
  /** The address or DID, with the limited resource as a prefix: `address:203.0.113.9`. */
  readonly key: string
  /** The key used when the table is full, such as a wider network. */
  readonly wide: string
}

/** The length of every window, in milliseconds. */
export const windowMs = 60_000

/** Returns the remaining time of a window, in milliseconds; at most its length, despite rounding. */
export const leftOf = ({ endsAt }: { readonly endsAt: number }, now: number): number => Math.min(windowMs, endsAt - now)

/** Maximum keys of a table, besides the overflow windows. */
const defaultCapacity = 50_000

/** The number of overflow windows. */
const standIns = 1_024

/**
 * The open windows, by key, up to a capacity. While it is full, new keys share a fixed number of overflow windows:
 * existing counts stay, and every request is counted.
 */
export class WindowTable<Window extends { readonly endsAt: number }> {
  readonly #windows = new Map<string, Window>()
  readonly #capacity: number

  constructor(capacity = defaultCapacity) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#windows.size
  }

  /** Returns the key under which a caller is counted. */
  keyOf({ key, wide }: Counted, now: number): string {
    if (this.#windows.has(key)) return key
    this.#forgetEnded(now)
    return this.#windows.size < this.#capacity ? key : `wide:${hashOf(wide) % standIns}`
  }

  /** Returns the open window of a key. */
  find(key: string, now: number): Window | undefined {
    const window = this.#windows.get(key)
    if (window === undefined || window.endsAt > now) return window
    this.#windows.delete(key)
    return undefined
  }

  /** Returns the open windows with their keys. */
  *open(now: number): Generator<readonly [key: string, window: Window]> {
    for (const entry of this.#windows) if (entry[1].endsAt > now) yield entry
  }

  /** Opens a window, which replaces the previous one. */
  set(key: string, window: Window): void {
    this.#windows.delete(key)
    this.#windows.set(key, window)
  }

  /** Deletes windows that have ended; they are ordered by their start. */
  #forgetEnded(now: number): void {
    for (const [key, { endsAt }] of this.#windows) {
      if (endsAt > now) return
      this.#windows.delete(key)
    }
  }
}

/** Returns 32 bits of FNV-1a, the same in every process. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
