import type { Host, Route } from '@sibyl/plugin'
import type { EntitiesEnv } from '../entities-env.ts'
import type { EntityReader } from '../reading/entity-reader.ts'
import type { Projection } from '../records/projection.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { createEntitySearch } from './create-entity-search.ts'
import { createSearchIndex } from './create-search-index.ts'
import type { EntitySearch } from './entity-search.ts'
import { createRemoteIndex } from './remote-index.ts'
import { searchProjection } from './search-projection.ts'
import { searchRoute } from './search-route.ts'

/** Search, as the plugin offers it. */
export interface SearchRoom {
  readonly search: EntitySearch
  /** Keeps the index. */
  readonly projection: Projection
  readonly routes: readonly Route[]
}

/** Puts the room together. */
export const searchRoom = (
  { storage, env, log, clock }: Host<EntitiesEnv, EntitiesTables>,
  reader: Pick<EntityReader, 'byIds' | 'records'>,
): SearchRoom => {
  const index = createSearchIndex(storage)
  const url = env.DOMAIN_INDEXER_URL
  const remote = url === undefined ? undefined : createRemoteIndex({ url, log, clock })
  const search = createEntitySearch({ index, reader, remote })
  return { search, projection: searchProjection(index), routes: [searchRoute(search)] }
}
