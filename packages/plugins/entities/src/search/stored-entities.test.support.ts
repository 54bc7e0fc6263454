import type { EntityReader } from '../reading/entity-reader.ts'
import { entityDid } from '../records/entity-did.ts'
import { makeEntityIds } from '../records/entity-id.ts'
import type { EntityChange, StoredEntity } from '../records/stored-entity.ts'

const at = 1_763_700_000_000
const nextId = makeEntityIds(() => at)

/** An entity in use, as it stands in the database. */
export const storedEntity = (parts: Partial<StoredEntity> & Pick<StoredEntity, 'type'>): StoredEntity => {
  const id = parts.id ?? nextId()
  return {
    id,
    did: entityDid('did:web:oracle.example', id),
    domainClass: 'Physical Twins',
    controller: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
    status: 'active',
    properties: {},
    services: [],
    credentials: [],
    alsoKnownAs: [],
    version: 1,
    createdAt: at,
    updatedAt: at,
    hash: '',
    ...parts,
  }
}

/** The change from one state of an entity to another. */
export const changeTo = (after: StoredEntity, before?: StoredEntity): EntityChange => ({
  before,
  after,
  kind: before === undefined ? 'created' : after.status === 'active' ? 'updated' : 'deactivated',
  by: after.controller,
  change: {},
  addedEdges: [],
  removedEdges: [],
})

/** Reads entities from a list, for what needs nothing else of the database than the index. */
export const readerOf = (entities: readonly StoredEntity[]): Pick<EntityReader, 'byIds'> => {
  const byId = new Map(entities.map(entity => [entity.id, entity]))
  return { byIds: async ids => new Map(ids.flatMap(id => (byId.has(id) ? [[id, byId.get(id)!] as const] : []))) }
}
