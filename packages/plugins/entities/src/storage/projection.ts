import type { EntityChange } from '../records/stored-entity.ts'
import type { EntitiesTransaction } from './entities-tables.ts'

/**
 * Data that follows from the changes of entities, such as the search index. Changes that come
 * together are applied together, so each statement should take all of them.
 */
export interface Projection {
  /** Awaits nothing but `tx`. */
  apply(changes: readonly EntityChange[], tx: EntitiesTransaction): Promise<void>
}
