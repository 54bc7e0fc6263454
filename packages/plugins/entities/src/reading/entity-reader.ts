import type { Parties } from '../access/parties.ts'
import {
  type RelationshipDependencies,
  shownPastRelationships,
  shownRelationships,
} from '../graph/shown-relationships.ts'
import type { PastStates } from '../history/past-states.ts'
import { versionAt } from '../history/read-chain.ts'
import type { PastEntity } from '../history/replay-entity.ts'
import type { ProtocolRules } from '../protocols/protocol-rules.ts'
import type { ProtocolStore } from '../protocols/protocol-store.ts'
import type { EntityRecord } from '../records/entity-contract.ts'
import { entityRecordOf } from '../records/entity-record.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { entityParts } from '../storage/entity-parts.ts'
import { findEntitiesByDid } from '../storage/entity-rows.ts'
import type { EntityFilters } from './entity-filters.ts'
import { listEntities } from './list-entities.ts'
import { entityPages } from './read-filters.ts'
import type { TermIndex } from './term-index.ts'

export interface EntityReaderDependencies extends PastDependencies, RelationshipDependencies {
  readonly storage: Pick<EntitiesStorage, 'engine' | 'read'>
  readonly index: TermIndex
  readonly parties: Pick<Parties, 'partyOf'>
}

export const createEntityReader = (parts: EntityReaderDependencies) => {
  const { storage, parties } = parts
  const findAll = (dids: readonly string[]) => findEntitiesByDid(storage.read, dids)
  const find = async (did: string) => (await findAll([did])).get(did)
  return {
    find,
    /** Returns several entities by DID, in one read. */
    findAll,
    /** Returns several entities by id, in one read. */
    async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, StoredEntity>> {
      const found = new Map<string, StoredEntity>()
      for await (const { entities } of entityParts(storage, [...new Set(ids)])) {
        for (const [id, entity] of entities) found.set(id, entity)
      }
      return found
    },
    /**
     * Returns a page, newest first. If matching entities are rare, a page may be short or empty and still have a `next`.
     *
     * @param cursor the `next` of the previous page
     * @throws `cursor_invalid`
     */
    async list(given: EntityFilters, limit: number, cursor?: string) {
      const filters = withParty(given, parties)
      const { entities, next } = await listEntities(parts, filters, limit, entityPages.read(cursor, { ...filters }))
      return { entities, next: next === undefined ? undefined : entityPages.cursor(next, { ...filters }) }
    },
    /** Returns entities for HTTP responses, with their relationships. */
    async records(entities: readonly StoredEntity[]): Promise<readonly EntityRecord[]> {
      const relationships = await shownRelationships(
        parts,
        entities.map(({ id }) => id),
      )
      return entities.map(entity => entityRecordOf(entity, relationships.get(entity.id) ?? {}))
    },
    /**
     * Returns an entity as of a time, built from its events; undefined if it did not exist.
     *
     * @param at milliseconds since 1970
     */
    async recordAt(did: string, at: number): Promise<EntityRecord | undefined> {
      const entity = await find(did)
      const past = entity && (await pastEntity(parts, entity, at))
      return past && entityRecordOf(past.entity, await shownPastRelationships(storage, past.relationships))
    },
  }
}

export type EntityReader = ReturnType<typeof createEntityReader>

/** The oracle is one controller with all its DIDs. */
const withParty = (filters: EntityFilters, { partyOf }: Pick<Parties, 'partyOf'>): EntityFilters =>
  filters.controller === undefined ? filters : { ...filters, controller: partyOf(filters.controller) }

export interface PastDependencies {
  readonly storage: Pick<EntitiesStorage, 'read'>
  readonly states: PastStates
  readonly protocols: Pick<ProtocolStore, 'find'>
  readonly rules: Pick<ProtocolRules, 'domainClass'>
}

/**
 * Returns an entity as of a time, with its class at that time; undefined if it did not exist.
 *
 * @param at milliseconds since 1970, inclusive
 * @throws `history_unfinished`, `history_too_long`
 */
const pastEntity = async (
  { storage, states, protocols, rules }: PastDependencies,
  entity: StoredEntity,
  at: number,
): Promise<PastEntity | undefined> => {
  const past = await states.at(entity, await versionAt(storage.read, entity, at))
  if (!past) return undefined
  const { type, protocol } = past.entity
  const definition = protocol && (await protocols.find(protocol.did, protocol.version))
  return { ...past, entity: { ...past.entity, domainClass: rules.domainClass(type, definition) } }
}
