import type { CountedActor } from '@sibyl/protocol'
import type { Fact, NewFact } from './fact.ts'
import { memoryErrors } from './memory-errors.ts'

export interface FoundFact {
  readonly fact: Fact
  /** True if it matches well enough to be used without a request. */
  readonly isRelevant: boolean
}

export type FactOwner = Pick<CountedActor, 'did' | 'holder'>

/** The facts of people; each person only sees their own. */
export interface FactStore {
  /**
   * Stores a fact. A fact with the same text as another replaces it and keeps its id.
   *
   * @param owner the person; facts count toward the holder's limit
   * @param key the same for a repeated call
   * @throws `memory_full`, `memory_unavailable`, `memory_refused`
   */
  remember(owner: FactOwner, fact: NewFact, key: string, signal?: AbortSignal): Promise<RememberedFact>
  /**
   * Returns the facts that match a text best, best first; for a text without significant words, the most important
   * ones.
   *
   * @throws `memory_unavailable`, `memory_refused`
   */
  recall(did: string, text: string, limit: number, signal?: AbortSignal): Promise<readonly FoundFact[]>
  /** Deletes a fact; returns false if the person has no fact with that id. */
  forget(did: string, id: string, signal?: AbortSignal): Promise<boolean>
  /** Deletes all facts of a person; returns their number. */
  forgetAll(did: string, signal?: AbortSignal): Promise<number>
  /**
   * Returns a page of a person's facts, latest first.
   *
   * @throws `cursor_invalid` for an unknown cursor
   */
  list(did: string, limit: number, cursor?: string, signal?: AbortSignal): Promise<FactPage>
}

export interface RememberedFact {
  readonly fact: Fact
  /** False if it was already known. */
  readonly isNew: boolean
}

export interface FactPage {
  readonly facts: readonly Fact[]
  /** The cursor of the next page; missing on the last one. */
  readonly next?: string
}

/**
 * Yields all facts of a person, which are read page by page.
 *
 * @throws `memory_refused` if the pages do not end
 */
export async function* allFacts(store: Pick<FactStore, 'list'>, did: string): AsyncGenerator<Fact> {
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const { facts, next } = await store.list(did, pageSize, cursor)
    yield* facts
    if (next === undefined) return
    cursor = next
  }
  throw memoryErrors.memory_refused()
}

const pageSize = 200
const maxPages = 10_000
