import type { Projection } from '../records/projection.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { createSearchIndex } from './create-search-index.ts'
import { searchProjection } from './search-projection.ts'

/** Search, as the plugin offers it. */
export interface SearchRoom {
  readonly projection: Projection
}

/** Puts the room together. */
export const searchRoom = ({ storage }: { readonly storage: EntitiesStorage }): SearchRoom => {
  const index = createSearchIndex(storage)
  return { projection: searchProjection(index) }
}
