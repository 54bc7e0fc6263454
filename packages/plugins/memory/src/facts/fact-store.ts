import type { CountedActor } from '@sibyl/protocol'
import type { Fact, NewFact } from './fact.ts'
import { memoryErrors } from './memory-errors.ts'

export interface FoundFact {
  readonly fact: Fact
  /** Whether it fits well enough to be told unasked. */
  readonly isRelevant: boolean
}

export type FactOwner = Pick<CountedActor, 'did' | 'holder'>

/** The facts of people, each seen by the person alone to whom they belong. */
export interface FactStore {
  /**
   * Keeps a fact. One that says the same as another takes its place, with its id.
   *
   * @param owner the person; facts count for the holder
   * @param key the same for a call that is made again
   * @throws `memory_full`, `memory_unavailable`, `memory_refused`
   */
  remember(owner: FactOwner, fact: NewFact, key: string, signal?: AbortSignal): Promise<RememberedFact>
  /**
   * The facts that fit a text best, the best first; of a text without any telling word those that count most.
   *
   * @throws `memory_unavailable`, `memory_refused`
   */
  recall(did: string, text: string, limit: number, signal?: AbortSignal): Promise<readonly FoundFact[]>
  /** Forgets a fact; false where the person has none of that id. */
  forget(did: string, id: string, signal?: AbortSignal): Promise<boolean>
  /** Forgets all facts of a person; gives how many there were. */
  forgetAll(did: string, signal?: AbortSignal): Promise<number>
  /**
   * A page of a person's facts, those told last first.
   *
   * @throws `cursor_invalid` of a cursor that no page gave
   */
  list(did: string, limit: number, cursor?: string, signal?: AbortSignal): Promise<FactPage>
}

/** How a fact was kept. */
export interface RememberedFact {
  readonly fact: Fact
  /** False where it was known already. */
  readonly isNew: boolean
}

export interface FactPage {
  readonly facts: readonly Fact[]
  /** The cursor of the next page; missing on the last one. */
  readonly next?: string
}

/**
 * All facts of a person, page by page.
 *
 * @throws `memory_refused` where pages have no end
 */
export async function* allFacts(store: Pick<FactStore, 'list'>, did: string): AsyncGenerator<readonly Fact[]> {
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const { facts, next } = await store.list(did, pageSize, cursor)
    yield facts
    if (next === undefined) return
    cursor = next
  }
  throw memoryErrors.memory_refused()
}

const pageSize = 200
const mostPages = 10_000
