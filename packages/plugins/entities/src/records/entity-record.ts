import type { EntityRecord } from './entity-contract.ts'
import type { StoredEntity } from './stored-entity.ts'

/** Relationships of the generic chain that lead to claims and credentials; only the claims plugin writes them. */
export const reservedRelationships: ReadonlySet<string> = new Set(['produces', 'verifies', 'becomes'])

/** Maximum number of edges of one name in a record; the graph has the others. */
export const maxShownRelationships = 100

/**
 * Returns an entity for HTTP responses.
 *
 * @param relationships name to DIDs or URIs; for a Protocol, its own definition is shown: name to the kind of entity
 */
export const entityRecordOf = (
  entity: StoredEntity,
  relationships: Readonly<Record<string, readonly string[]>>,
): EntityRecord => ({
  did: entity.did,
  type: entity.type,
  controller: entity.controller,
  pendingController: entity.pendingController,
  domainClass: entity.domainClass,
  status: entity.status,
  ...(entity.protocol ? { protocol: entity.protocol.did, protocolVersion: entity.protocol.version } : {}),
  properties: { ...entity.properties },
  services: [...entity.services],
  relationships: entity.definition ? { ...entity.definition.relationships } : shown(relationships),
  verifiableCredential: [...entity.credentials],
  alsoKnownAs: [...entity.alsoKnownAs],
  claim: entity.claim,
  ...(entity.definition?.retired ? { retiredVersions: [...entity.definition.retired] } : {}),
  version: entity.version,
  createdAt: new Date(entity.createdAt).toISOString(),
  updatedAt: new Date(entity.updatedAt).toISOString(),
})

/**
 * Edges to claims are not changes of the entity: without them a record depends only on its version, which is its ETag.
 */
const shown = (relationships: Readonly<Record<string, readonly string[]>>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(relationships)
      .filter(([name]) => !reservedRelationships.has(name))
      .map(([name, targets]) => [name, targets.slice(0, maxShownRelationships)]),
  )
