import type { EntitiesTransaction } from '../storage/entities-tables.ts'

/** An entity's terms for the index. */
export interface TermDocument {
  readonly id: string
  readonly terms: readonly number[]
}

export interface TermQuery {
  /** Terms that must all match; without any, every entity matches. */
  readonly terms: readonly number[]
  /** The first position; both are in one window. */
  readonly from: number
  readonly before: number
  readonly limit: number
}

export interface ListedEntity {
  readonly position: number
  readonly id: string
}

/**
 * An index of the terms of all entities, each entity at a position. It finds those that have several terms without
 * reading the entities, one window of positions at a time, so that the cost of a statement is bounded by its window.
 */
export interface TermIndex {
  /** Number of positions in a window. The first window begins at 0. */
  readonly window: number
  /** Adds new entities, each at the next position. */
  add(documents: readonly TermDocument[], tx: EntitiesTransaction): Promise<void>
  /** Replaces the terms of entities. */
  replace(documents: readonly TermDocument[], tx: EntitiesTransaction): Promise<void>
  /** Returns the last entities that have the terms, last one first. */
  find(query: TermQuery): Promise<readonly ListedEntity[]>
}
