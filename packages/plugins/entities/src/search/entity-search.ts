import type { EntityRecord } from '@sibyl/protocol'

/** A search. */
export interface SearchQuery {
  /** Words, as a person types them; hostile. */
  readonly query: string
  readonly type?: string | undefined
  readonly protocol?: string | undefined
  readonly limit: number
}

/** An entity that was found. */
export interface SearchHit {
  /** Its source: `local`, or the host of the remote index. */
  readonly source: string
  readonly did: string
  readonly type: string
  /** A few words around what was found. */
  readonly excerpt?: string
  /** Of entities of this oracle. */
  readonly entity?: EntityRecord
}

/** Finds entities by words. */
export interface EntitySearch {
  /** The best first; entities of this oracle before those of a remote index. `incomplete` where the remote one failed. */
  search(query: SearchQuery): Promise<{ readonly hits: readonly SearchHit[]; readonly incomplete?: string }>
}
