import { toJson } from '@sibyl/plugin/storage'
import type { Storage } from '@sibyl/storage'
import { entityDid } from '../records/entity-did.ts'
import type { DomainClass, EntityStatus } from '../records/entity-members.ts'
import type { Edge } from '../records/stored-entity.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { createEdgeStore } from './edge-store.ts'

/** The id of the entity with a number. */
export const idOf = (number: number): string => `0${number.toString().padStart(25, '0')}`

/** The DID of the entity with a number. */
export const didOf = (number: number): string => entityDid('did:web:localhost%3A3000', idOf(number))

/** What a test says of an entity. */
export interface PlainEntity {
  readonly number: number
  readonly type?: string
  readonly domainClass?: DomainClass
  readonly status?: EntityStatus
}

/** Puts entities into the database as they are, without the rules. */
export const putEntities = async (storage: Storage<EntitiesTables>, entities: readonly PlainEntity[]) => {
  const rows = entities.map(({ number, type = 'Device', domainClass = 'Physical Twins', status = 'active' }) => ({
    id: idOf(number),
    did: didOf(number),
    type,
    domain_class: domainClass,
    controller: 'did:web:localhost%3A3000',
    status,
    protocol: null,
    protocol_version: null,
    details: toJson({ properties: {} }),
    version: 1,
    created_at: 1,
    updated_at: 1,
    hash: '',
  }))
  await storage.write(async tx => {
    for (let from = 0; from < rows.length; from += 500) {
      await tx
        .insertInto('entities_entities')
        .values(rows.slice(from, from + 500))
        .execute()
    }
  })
}

/** Puts edges into the database as they are. */
export const putEdges = async (storage: Storage<EntitiesTables>, edges: readonly Edge[]) => {
  await storage.write(tx => createEdgeStore(storage).insert(edges, 1, tx))
}
