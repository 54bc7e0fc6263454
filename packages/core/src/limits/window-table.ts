/** Whose requests are counted. */
export interface Counted {
  /** The address or DID, with what is limited in front: `address:203.0.113.9`. */
  readonly key: string
  /** What stands in for it while more keys come than the table holds, such as a wider network. */
  readonly wide: string
}

/** The length of every window, in milliseconds. */
export const windowMs = 60_000

/** How long a window is open still, in milliseconds; never more than its length, whatever rounding makes of the times. */
export const leftOf = ({ endsAt }: { readonly endsAt: number }, now: number): number => Math.min(windowMs, endsAt - now)

/** How many keys one table holds beside the stand-ins. */
const defaultCapacity = 50_000

/** How many stand-ins there are. */
const standIns = 1_024

/**
 * The windows that are open now, by key; never more than its capacity. While it is full, keys that are not in it share
 * the windows of a fixed number of stand-ins: nobody's count is given up for a newcomer's, and nobody goes uncounted.
 */
export class WindowTable<Window extends { readonly endsAt: number }> {
  readonly #windows = new Map<string, Window>()
  readonly #capacity: number

  constructor(capacity = defaultCapacity) {
    this.#capacity = capacity
  }

  /** How many windows it holds. */
  get size(): number {
    return this.#windows.size
  }

  /** The key that a caller is counted by. */
  keyOf({ key, wide }: Counted, now: number): string {
    if (this.#windows.has(key)) return key
    this.#forgetEnded(now)
    return this.#windows.size < this.#capacity ? key : `wide:${hashOf(wide) % standIns}`
  }

  /** The open window of a key. */
  find(key: string, now: number): Window | undefined {
    const window = this.#windows.get(key)
    if (window === undefined || window.endsAt > now) return window
    this.#windows.delete(key)
    return undefined
  }

  /** Opens a window, in place of the one before. */
  set(key: string, window: Window): void {
    this.#windows.delete(key)
    this.#windows.set(key, window)
  }

  /** Forgets windows that have ended; they stand in the order in which they were opened. */
  #forgetEnded(now: number): void {
    for (const [key, { endsAt }] of this.#windows) {
      if (endsAt > now) return
      this.#windows.delete(key)
    }
  }
}

/** The 32 bits of FNV-1a, the same in every process. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
