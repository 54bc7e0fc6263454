import { isDeepStrictEqual } from 'node:util'
import { type DomainClass, type EntityCreation, type EntityPatch, type Fault, mergePatch } from '@sibyl/protocol'
import { EntityInvalid, ProtocolUnknown } from '../entities-errors.ts'
import type { UnsignedEntity } from '../history/sign-links.ts'
import type { ProtocolDefinition } from '../protocols/protocol-definition.ts'
import type { ProtocolRules } from '../protocols/protocol-rules.ts'
import type { ProtocolStore } from '../protocols/protocol-store.ts'
import { entityIdOf, isSameDid } from '../records/entity-did.ts'
import type { KnownEntities, PostedDefinition, StoredEntity } from '../records/stored-entity.ts'

/** The type of entities that are protocols. */
export const protocolType = 'Protocol'

/** What the creation of a Protocol says of it besides properties and claim. */
export const postedDefinition = ({ relationships = {}, domainClass }: EntityCreation): PostedDefinition => ({
  version: 1,
  relationships: kindsIn(relationships),
  ...classIn(domainClass),
})

/** The next version of a Protocol's definition, where a patch makes one. */
export const patchedDefinition = (
  before: StoredEntity,
  after: UnsignedEntity,
  { relationships = {}, domainClass }: EntityPatch,
): PostedDefinition | undefined => {
  const { definition } = before
  if (!definition) return undefined
  const next: PostedDefinition = {
    version: definition.version + 1,
    relationships: kindsIn(mergePatch(definition.relationships, relationships) as Record<string, string | string[]>),
    ...classIn(domainClass ?? definition.domainClass),
  }
  const isSame = isDeepStrictEqual(
    [before.properties, before.claim, definition.relationships, definition.domainClass],
    [after.properties, after.claim, next.relationships, next.domainClass],
  )
  return isSame ? undefined : next
}

/**
 * What entities are checked against by a posted Protocol.
 *
 * @param otherFaults what else was found
 * @throws EntityInvalid with every fault of it
 */
export const readDefinition = (
  rules: Pick<ProtocolRules, 'parse'>,
  { did, properties, claim }: Pick<StoredEntity, 'did' | 'properties' | 'claim'>,
  { version, relationships, domainClass }: PostedDefinition,
  otherFaults: readonly Fault[],
): ProtocolDefinition => {
  const posted = { properties, relationships, ...(claim === undefined ? {} : { claim }), ...classIn(domainClass) }
  const definition = rules.parse(posted, { did, version })
  const faults = [...otherFaults, ...('faults' in definition ? definition.faults : [])]
  if ('faults' in definition || faults.length > 0) throw new EntityInvalid(faults)
  return definition
}

/**
 * The protocol that an entity is to follow: one of this oracle, in use.
 *
 * @param version the newest where none is named
 * @throws ProtocolUnknown `protocol_unknown`
 */
export const findProtocol = async (
  protocols: Pick<ProtocolStore, 'find'>,
  known: KnownEntities,
  did: string,
  version?: number,
): Promise<ProtocolDefinition> => {
  const entity = known.get(entityIdOf(did) ?? '')
  if (!entity?.definition || !isSameDid(entity.did, did) || entity.status !== 'active') {
    throw new ProtocolUnknown('/protocol')
  }
  const isThere = version === undefined || version <= entity.definition.version
  const definition = isThere ? await protocols.find(entity.did, version ?? entity.definition.version) : undefined
  if (!definition) throw new ProtocolUnknown('/protocolVersion')
  return definition
}

const classIn = (domainClass: DomainClass | undefined) => (domainClass ? { domainClass } : {})

/** Kinds by name. A list of one stands for its item, as records show it; other lists stay, as the faults that they are. */
const kindsIn = (given: Readonly<Record<string, string | readonly string[]>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(given).map(([name, kind]) => [
      name,
      (Array.isArray(kind) && kind.length === 1 ? kind[0] : kind) as string,
    ]),
  )
