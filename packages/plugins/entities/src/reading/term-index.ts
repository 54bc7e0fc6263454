import type { EntitiesTransaction } from '../storage/entities-tables.ts'

/** Terms or words of an entity in the index. */
export interface TermDocument {
  readonly id: string
  readonly terms: readonly number[]
}

export interface TermQuery {
  /** All of them; with none every entity is found. */
  readonly terms: readonly number[]
  /** The first position; both lie in one window. */
  readonly from: number
  readonly before: number
  readonly limit: number
}

export interface ListedEntity {
  readonly position: number
  readonly id: string
}

/**
 * The terms of all entities, each entity at a position that counts them. It finds those that have several terms without
 * reading the entities, a window of positions at a time, so that no statement costs more than its window.
 */
export interface TermIndex {
  /** Positions of one window. The first window begins at 0. */
  readonly window: number
  /** Adds entities that it does not hold yet, each at the next position. */
  add(documents: readonly TermDocument[], tx: EntitiesTransaction): Promise<void>
  /** Puts other terms in the place of those of entities. */
  replace(documents: readonly TermDocument[], tx: EntitiesTransaction): Promise<void>
  /** The last ones that have the terms, the last one first. */
  find(query: TermQuery): Promise<readonly ListedEntity[]>
}
