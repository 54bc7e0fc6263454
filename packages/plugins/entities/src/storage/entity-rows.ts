import { sql, toJson } from '@sibyl/plugin/storage'
import { sameDid } from '@sibyl/protocol'
import { entityIdOf } from '../records/entity-did.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage, EntitiesTransaction, EntityDetails, EntityRow } from './entities-tables.ts'
import { inParts } from './statement-parts.ts'

export const entityOfRow = (row: EntityRow): StoredEntity => {
  const { details } = row
  return {
    id: row.id,
    did: row.did,
    type: row.type,
    domainClass: row.domain_class,
    controller: row.controller,
    ...(details.pendingController === undefined ? {} : { pendingController: details.pendingController }),
    status: row.status,
    ...(row.protocol === null ? {} : { protocol: { did: row.protocol, version: row.protocol_version ?? 1 } }),
    properties: details.properties,
    services: details.services ?? [],
    credentials: details.credentials ?? [],
    alsoKnownAs: details.alsoKnownAs ?? [],
    ...(details.claim === undefined ? {} : { claim: details.claim }),
    ...(details.definition === undefined ? {} : { definition: details.definition }),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    hash: row.hash,
  }
}

/** Returns the members of an entity that have no column. */
export const detailsOf = (entity: Omit<StoredEntity, 'version' | 'updatedAt' | 'hash'>): EntityDetails => ({
  properties: entity.properties,
  ...(entity.pendingController === undefined ? {} : { pendingController: entity.pendingController }),
  ...(entity.services.length > 0 ? { services: entity.services } : {}),
  ...(entity.credentials.length > 0 ? { credentials: entity.credentials } : {}),
  ...(entity.alsoKnownAs.length > 0 ? { alsoKnownAs: entity.alsoKnownAs } : {}),
  ...(entity.claim === undefined ? {} : { claim: entity.claim }),
  ...(entity.definition === undefined ? {} : { definition: entity.definition }),
})

const rowOfEntity = (entity: StoredEntity) => ({
  id: entity.id,
  did: entity.did,
  type: entity.type,
  domain_class: entity.domainClass,
  controller: entity.controller,
  status: entity.status,
  protocol: entity.protocol?.did ?? null,
  protocol_version: entity.protocol?.version ?? null,
  details: toJson(detailsOf(entity)),
  version: entity.version,
  created_at: entity.createdAt,
  updated_at: entity.updatedAt,
  hash: entity.hash,
})

/** Maximum number of ids of one statement, which databases limit. */
const maxIds = 1_000

/** Reads entities by id, in one statement unless there are very many. */
export const findEntities = async (
  db: EntitiesStorage['read'] | EntitiesTransaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredEntity>> => {
  const found = new Map<string, StoredEntity>()
  for (const part of ofMost(ids)) {
    const rows = await db.selectFrom('entities_entities').selectAll().where('id', 'in', part).execute()
    for (const row of rows) found.set(row.id, entityOfRow(row))
  }
  return found
}

export const findEntity = async (
  db: EntitiesStorage['read'] | EntitiesTransaction,
  id: string | undefined,
): Promise<StoredEntity | undefined> => (id === undefined ? undefined : (await findEntities(db, [id])).get(id))

/** Reads entities by given DIDs. */
export const findEntitiesByDid = async (
  db: EntitiesStorage['read'] | EntitiesTransaction,
  dids: readonly string[],
): Promise<ReadonlyMap<string, StoredEntity>> => {
  const known = await findEntities(db, [...new Set(dids.flatMap(did => entityIdOf(did) ?? []))])
  return new Map(
    dids.flatMap(did => {
      const entity = known.get(entityIdOf(did) ?? '')
      return entity && sameDid(entity.did, did) ? [[did, entity] as const] : []
    }),
  )
}

function* ofMost(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += maxIds) yield ids.slice(from, from + maxIds)
}

/**
 * Writes entities: new ones with version 1, and changed ones if their version follows the stored one.
 *
 * @param entities at most one per id
 * @returns the number of written entities
 */
export const saveEntities = async (tx: EntitiesTransaction, entities: readonly StoredEntity[]): Promise<number> => {
  const created = entities.filter(({ version }) => version === 1)
  for (const part of inParts(created)) {
    await tx.insertInto('entities_entities').values(part.map(rowOfEntity)).execute()
  }
  const changed = entities.filter(({ version }) => version > 1)
  return created.length + (changed.length > 0 ? await updateEntities(tx, changed) : 0)
}

const updateEntities = async (tx: EntitiesTransaction, entities: readonly StoredEntity[]): Promise<number> => {
  let written = 0
  for (const part of inParts(entities.toSorted((left, right) => (left.id < right.id ? -1 : 1)))) {
    const { length } = await tx
      .insertInto('entities_entities')
      .values(part.map(rowOfEntity))
      .onConflict(conflict =>
        conflict
          .column('id')
          .doUpdateSet(({ ref }) => ({
            domain_class: ref('excluded.domain_class'),
            controller: ref('excluded.controller'),
            status: ref('excluded.status'),
            protocol_version: ref('excluded.protocol_version'),
            details: ref('excluded.details'),
            version: ref('excluded.version'),
            updated_at: ref('excluded.updated_at'),
            hash: ref('excluded.hash'),
          }))
          .whereRef('entities_entities.version', '=', ({ ref }) => sql`${ref('excluded.version')} - 1`),
      )
      .returning('id')
      .execute()
    written += length
  }
  return written
}
