import type { CountedActor } from '@sibyl/protocol'
import type { LimitShare, ShareOf } from './limit-shares.ts'

/** Why there is no place: for this holder, for its address, or for any caller. */
export type Full = 'holder' | 'origin' | 'all'

/** A place that is taken. */
export interface Place {
  /** Frees the place. May be called again. */
  release(): void
}

/** Options of `Places`. */
export interface PlaceLimits {
  /** How many places there are in this process. */
  readonly capacity: number
  /** How many of them one holder may take. @default capacity */
  readonly perHolder?: number
}

/** Places of which each holder and each address takes a share, such as connections that stay open. */
export interface Places {
  /** Takes a place, or returns why there is none. */
  take(actor: CountedActor): Place | { readonly full: Full }
}

/** Makes places in the memory of this process. */
export const makePlaces = ({ capacity, perHolder = capacity }: PlaceLimits, shareOf: ShareOf): Places => {
  const taken = new Tally()
  return {
    take(actor) {
      const share = shareOf(actor, capacity)
      const full = taken.fullFor(share, perHolder)
      return full === undefined ? taken.add(share) : { full }
    },
  }
}

/** Counts what is in use: by holder, by origin, and in all. */
export class Tally {
  readonly #holders = new Map<string, number>()
  readonly #origins = new Map<string, number>()
  #all = 0

  /** How much a holder uses. */
  ofHolder(holder: string): number {
    return this.#holders.get(holder) ?? 0
  }

  /** Returns which limit keeps a share from growing. */
  fullFor({ holder, origin, ofAll, ofOrigin }: LimitShare, perHolder: number): Full | undefined {
    if (this.ofHolder(holder) >= perHolder) return 'holder'
    if (origin !== undefined && (this.#origins.get(origin) ?? 0) >= ofOrigin) return 'origin'
    return this.#all >= ofAll ? 'all' : undefined
  }

  /** Counts one more, until its place is released. */
  add({ holder, origin }: Pick<LimitShare, 'holder' | 'origin'>): Place {
    let isTaken = true
    this.#count(holder, origin, 1)
    return {
      release: () => {
        if (isTaken) this.#count(holder, origin, -1)
        isTaken = false
      },
    }
  }

  #count(holder: string, origin: string | undefined, by: 1 | -1): void {
    this.#all += by
    change(this.#holders, holder, by)
    if (origin !== undefined) change(this.#origins, origin, by)
  }
}

const change = (counts: Map<string, number>, key: string, by: number): void => {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
