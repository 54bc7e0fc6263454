import { sameDid } from '@sibyl/protocol'
import type { Parties } from '../access/parties.ts'
import { entitiesFailures, protocolUnknown } from '../errors/entities-errors.ts'
import type { EntityPatch } from '../records/entity-contract.ts'
import { entityIdOf } from '../records/entity-did.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import type { KnownEntities, StoredEntity } from '../records/stored-entity.ts'
import { findEntities } from '../storage/entity-rows.ts'
import type { WritingDependencies } from './write-task.ts'

/**
 * Returns the protocol of a new entity: an active one of this oracle, in its newest version, or any version if the
 * caller controls the protocol.
 *
 * @param wanted.version by default the newest
 * @param wanted.by DID of the caller who registers the entity
 * @throws `protocol_unknown`, `protocol_version_superseded`, `protocol_version_retired`
 */
export const findProtocol = async (
  { protocols, parties }: Pick<WritingDependencies, 'protocols' | 'parties'>,
  known: KnownEntities,
  { did, version, by }: { readonly did: string; readonly version?: number | undefined; readonly by: string },
): Promise<ProtocolDefinition> => {
  const entity = known.get(entityIdOf(did) ?? '')
  if (!entity?.definition || !sameDid(entity.did, did) || entity.status !== 'active') {
    throw protocolUnknown('/protocol')
  }
  const wanted = version ?? entity.definition.version
  assertMayFollow(parties, entity, wanted, by)
  const definition = await protocols.find(entity.did, wanted)
  if (!definition) throw protocolUnknown('/protocolVersion')
  return definition
}

/**
 * Checks that an entity may follow a version of a protocol: the newest one, or an older one if the caller controls the protocol.
 *
 * @throws `protocol_unknown`, `protocol_version_superseded`, `protocol_version_retired`
 */
const assertMayFollow = (
  parties: Parties,
  { controller, definition }: Pick<StoredEntity, 'controller' | 'definition'>,
  version: number,
  by: string,
): void => {
  if (!definition || version > definition.version) throw protocolUnknown('/protocolVersion')
  if (definition.retired?.includes(version)) throw entitiesFailures.protocol_version_retired({ version })
  if (version < definition.version && !parties.isSame(controller, by)) {
    throw entitiesFailures.protocol_version_superseded({ newest: definition.version })
  }
}

/** Returns the definition that an entity is checked against: its own version, or the one that it moves to. */
export const definitionOf = async (
  { protocols }: Pick<WritingDependencies, 'protocols'>,
  { protocol }: StoredEntity,
  version = protocol?.version,
): Promise<ProtocolDefinition | undefined> => {
  if (!protocol) return undefined
  const definition = await protocols.find(protocol.did, version)
  if (!definition) throw protocolUnknown('/protocolVersion')
  return definition
}

/** Checks the version that an entity moves to; its current version is not checked. */
export const assertMayMove = async (
  { storage, parties }: WritingDependencies,
  { protocol }: StoredEntity,
  { protocolVersion }: EntityPatch,
  by: string,
): Promise<void> => {
  if (!protocol || protocolVersion === undefined || protocolVersion === protocol.version) return
  const id = entityIdOf(protocol.did) ?? ''
  const found = (await findEntities(storage.read, [id])).get(id)
  if (!found) throw protocolUnknown('/protocol')
  assertMayFollow(parties, found, protocolVersion, by)
}
