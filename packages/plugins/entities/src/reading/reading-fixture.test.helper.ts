import type { Storage } from '@sibyl/storage'
import { silentLogger } from '@sibyl/testing'
import { createParties } from '../access/parties.ts'
import { createEdgeStore } from '../graph/edge-store.ts'
import { createPastStates } from '../history/past-states.ts'
import { protocolRules } from '../protocols/protocol-rules.ts'
import { createProtocolStore } from '../protocols/protocol-store.ts'
import type { EntityRecord } from '../records/entity-contract.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { testIdentity, testWriter } from '../writing/test-writer.test.helper.ts'
import type { EntityFilters } from './entity-filters.ts'
import { createEntityReader } from './entity-reader.ts'
import { createTermIndex, termProjection } from './term-projection.ts'

/** A writer and a reader on one database, with a clock that a test moves. */
export const readingFixture = (storage: Storage<EntitiesTables>) => {
  const clock = { now: Date.UTC(2026, 10, 21) }
  const identity = testIdentity()
  const index = createTermIndex(storage)
  const edges = createEdgeStore(storage)
  const reader = createEntityReader({
    storage,
    index,
    edges,
    states: createPastStates({ storage, identity, log: silentLogger }),
    protocols: createProtocolStore(storage),
    rules: protocolRules,
    parties: createParties(identity),
  })
  return {
    clock,
    identity,
    edges,
    index,
    reader,
    writer: testWriter(storage, identity, { projections: [termProjection(index)], now: () => clock.now }),
    record: async (did: string): Promise<EntityRecord | undefined> => {
      const entity = await reader.find(did)
      return entity && (await reader.records([entity]))[0]
    },
    /** Every page of a list, as DIDs. */
    pages: async (filters: EntityFilters, limit: number): Promise<readonly (readonly string[])[]> => {
      const pages: string[][] = []
      for (let cursor: string | undefined; ; ) {
        const { entities, next } = await reader.list(filters, limit, cursor)
        pages.push(entities.map(({ did }) => did))
        if (next === undefined) return pages
        cursor = next
      }
    },
  }
}
