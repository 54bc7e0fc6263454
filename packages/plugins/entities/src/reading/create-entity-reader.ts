import type { Parties } from '../access/parties.ts'
import { entityIdOf, isSameDid } from '../records/entity-did.ts'
import { entityRecordOf } from '../records/entity-record.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { entityParts } from '../storage/entity-parts.ts'
import { findEntities } from '../storage/entity-rows.ts'
import type { EntityFilters, EntityReader } from './entity-reader.ts'
import { cursorOf, positionOf } from './list-cursor.ts'
import { listEntities } from './list-entities.ts'
import { type PastParts, pastEntity } from './past-entity.ts'
import { type RelationshipParts, shownPastRelationships, shownRelationships } from './shown-relationships.ts'
import type { TermIndex } from './term-index.ts'

/** What the reader is made from. */
export interface EntityReaderParts extends PastParts, RelationshipParts {
  readonly storage: Pick<EntitiesStorage, 'engine' | 'read'>
  readonly index: TermIndex
  readonly parties: Pick<Parties, 'partyOf'>
}

/** Reads entities from a database. */
export const createEntityReader = (parts: EntityReaderParts): EntityReader => {
  const { storage, parties } = parts
  const findAll = async (dids: readonly string[]): Promise<ReadonlyMap<string, StoredEntity>> => {
    const known = await findEntities(storage.read, [...new Set(dids.flatMap(did => entityIdOf(did) ?? []))])
    return new Map(
      dids.flatMap(did => {
        const entity = known.get(entityIdOf(did) ?? '')
        return entity && isSameDid(entity.did, did) ? [[did, entity] as const] : []
      }),
    )
  }
  const find = async (did: string) => (await findAll([did])).get(did)
  return {
    find,
    findAll,
    async byIds(ids) {
      const found = new Map<string, StoredEntity>()
      for await (const { entities } of entityParts(storage, [...new Set(ids)])) {
        for (const [id, entity] of entities) found.set(id, entity)
      }
      return found
    },
    async list(given, limit, cursor) {
      const filters = withParty(given, parties)
      const before = cursor === undefined ? undefined : positionOf(cursor, filters)
      const { entities, next } = await listEntities(parts, filters, limit, before)
      return next === undefined ? { entities } : { entities, next: cursorOf(next, filters) }
    },
    async records(entities) {
      const relationships = await shownRelationships(
        parts,
        entities.map(({ id }) => id),
      )
      return entities.map(entity => entityRecordOf(entity, relationships.get(entity.id) ?? {}))
    },
    async recordAt(did, at) {
      const entity = await find(did)
      const past = entity && (await pastEntity(parts, entity, at))
      return past && entityRecordOf(past.entity, await shownPastRelationships(storage, past.relationships))
    },
  }
}

/** The oracle is one controller by each of its DIDs. */
const withParty = (filters: EntityFilters, { partyOf }: Pick<Parties, 'partyOf'>): EntityFilters =>
  filters.controller === undefined ? filters : { ...filters, controller: partyOf(filters.controller) }
