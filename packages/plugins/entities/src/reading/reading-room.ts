import type { Host, Route } from '@sibyl/plugin'
import { createParties } from '../access/parties.ts'
import type { EdgeStore } from '../graph/graph.ts'
import { createPastStates } from '../history/past-states.ts'
import { protocolRules } from '../protocols/protocol-rules.ts'
import type { ProtocolStore } from '../protocols/protocol-store.ts'
import type { Projection } from '../records/projection.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { createEntityReader } from './create-entity-reader.ts'
import { createTermIndex } from './create-term-index.ts'
import type { EntityReader } from './entity-reader.ts'
import { entityRoute } from './entity-route.ts'
import { listRoute } from './list-route.ts'
import { termProjection } from './term-projection.ts'

/** Reading, as the plugin offers it. */
export interface ReadingRoom {
  readonly reader: EntityReader
  /** Keeps what lists are narrowed by. */
  readonly projection: Projection
  readonly routes: readonly Route[]
}

/** Puts the room together. */
export const readingRoom = (
  { identity, storage, log }: Host<unknown, EntitiesTables>,
  others: { readonly protocols: Pick<ProtocolStore, 'find'>; readonly edges: Pick<EdgeStore, 'outgoing'> },
): ReadingRoom => {
  const index = createTermIndex(storage)
  const reader = createEntityReader({
    storage,
    index,
    states: createPastStates({ storage, identity, log }),
    rules: protocolRules,
    parties: createParties(identity),
    ...others,
  })
  return { reader, projection: termProjection(index), routes: [listRoute(reader), entityRoute(reader)] }
}
