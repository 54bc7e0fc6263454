import type { CountedActor } from '@sibyl/protocol'
import type { LimitShare, ShareOf } from './limit-shares.ts'

/** The reason why no slot is free: the limit of the holder, of its address, or of all callers. */
export type Full = 'holder' | 'origin' | 'all'

/** A slot in use. */
export interface Place {
  /** Releases the slot. May be called again. */
  release(): void
}

/** Options of `Places`. */
export interface PlaceLimits {
  /** The number of slots in this process. */
  readonly capacity: number
  /** Maximum slots of one holder. @default capacity */
  readonly perHolder?: number
}

/** Slots that holders and addresses share, such as open connections. */
export interface Places {
  /** Takes a slot, or returns the reason why none is free. */
  take(actor: CountedActor): Place | { readonly full: Full }
}

/** Creates slots in the memory of this process. */
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

/** Counts the slots in use: by holder, by origin, and in total. */
export class Tally {
  readonly #holders = new Map<string, number>()
  readonly #origins = new Map<string, number>()
  #all = 0

  /** Returns the number of slots of a holder. */
  ofHolder(holder: string): number {
    return this.#holders.get(holder) ?? 0
  }

  /** Returns the limit that a share has reached. */
  fullFor({ holder, origin, network, ofAll, ofOrigin, ofSite }: LimitShare, perHolder: number): Full | undefined {
    if (this.ofHolder(holder) >= perHolder) return 'holder'
    if (this.#ofOrigin(network) >= ofOrigin || this.#ofOrigin(origin) >= ofSite) return 'origin'
    return this.#all >= ofAll ? 'all' : undefined
  }

  /** Counts one more, until it is released. */
  add({ holder, origin, network }: Pick<LimitShare, 'holder' | 'origin' | 'network'>): Place {
    let isTaken = true
    const origins = new Set([origin, network])
    this.#count(holder, origins, 1)
    return {
      release: () => {
        if (isTaken) this.#count(holder, origins, -1)
        isTaken = false
      },
    }
  }

  #ofOrigin(origin: string | undefined): number {
    return origin === undefined ? 0 : (this.#origins.get(origin) ?? 0)
  }

  #count(holder: string, origins: ReadonlySet<string | undefined>, by: 1 | -1): void {
    this.#all += by
    change(this.#holders, holder, by)
    for (const origin of origins) if (origin !== undefined) change(this.#origins, origin, by)
  }
}

const change = (counts: Map<string, number>, key: string, by: number): void => {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
