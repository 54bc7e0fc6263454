import type { EntityChange, StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesTransaction } from './entities-tables.ts'

/**
 * Data that is derived from changes of entities, such as the search index. Changes of one transaction are applied
 * together, so each statement should include all of them.
 */
export interface Projection {
  /** Must await nothing but `tx`. */
  apply(changes: readonly EntityChange[], tx: EntitiesTransaction): Promise<void>
}

/** The combined effect of several changes on an entity: its state before the first and after the last. */
export interface LatestChange {
  readonly before: StoredEntity | undefined
  readonly after: StoredEntity
}

/** Returns one change for each entity. */
export const latestChanges = (changes: readonly EntityChange[]): Iterable<LatestChange> => {
  const latest = new Map<string, LatestChange>()
  for (const { before, after } of changes) {
    const earlier = latest.get(after.id)
    latest.set(after.id, { before: earlier ? earlier.before : before, after })
  }
  return latest.values()
}
