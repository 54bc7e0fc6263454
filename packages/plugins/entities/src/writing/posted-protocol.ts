import { isDeepStrictEqual } from 'node:util'
import { type DomainClass, type EntityCreation, type EntityPatch, type Fault, mergePatch } from '@sibyl/protocol'
import type { Parties } from '../access/parties.ts'
import { EntityInvalid, entitiesFailures, ProtocolUnknown } from '../entities-errors.ts'
import type { UnsignedEntity } from '../history/sign-links.ts'
import type { ProtocolDefinition } from '../protocols/protocol-definition.ts'
import type { ProtocolRules } from '../protocols/protocol-rules.ts'
import { entityIdOf, isSameDid } from '../records/entity-did.ts'
import type { KnownEntities, PostedDefinition, StoredEntity } from '../records/stored-entity.ts'
import { faultOf } from './entity-limits.ts'
import type { WritingParts } from './writing-parts.ts'

/** The type of entities that are protocols. */
export const protocolType = 'Protocol'

/** What the creation of a Protocol says of it besides properties and claim. */
export const postedDefinition = ({
  relationships = {},
  domainClass,
}: Pick<EntityCreation, 'relationships' | 'domainClass'>): PostedDefinition => ({
  version: 1,
  relationships: kindsIn(relationships),
  ...classIn(domainClass),
})

/** A Protocol's definition after a patch: of the next version, where the patch makes one. */
export const patchedDefinition = (
  before: StoredEntity,
  after: UnsignedEntity,
  { relationships = {}, domainClass, retiredVersions }: EntityPatch,
): PostedDefinition | undefined => {
  const { definition } = before
  if (!definition) return undefined
  const { retired: earlier = [], ...kept } = definition
  const retired = retiredVersions?.toSorted((one, other) => one - other) ?? earlier
  const retiredIn = retired.length > 0 ? { retired } : {}
  const next: PostedDefinition = {
    version: definition.version + 1,
    relationships: kindsIn(mergePatch(definition.relationships, relationships) as Record<string, string | string[]>),
    ...classIn(domainClass ?? definition.domainClass),
    ...retiredIn,
  }
  const isSame = isDeepStrictEqual(
    [before.properties, before.claim, definition.relationships, definition.domainClass],
    [after.properties, after.claim, next.relationships, next.domainClass],
  )
  return isSame ? { ...kept, ...retiredIn } : next
}

/** Faults of the versions that a patch retires. */
export const retirementFaults = (
  { definition: before }: StoredEntity,
  after: PostedDefinition | undefined,
  { retiredVersions = [] }: EntityPatch,
): readonly Fault[] => {
  const newest = after?.version ?? 0
  const faults = retiredVersions.flatMap((version, index) => {
    const path = `/retiredVersions/${index}`
    if (version >= newest) {
      const message = `Must be less than ${newest}, the newest version. Deactivate the protocol to end that one.`
      return [faultOf(path, 'newest_version', message)]
    }
    return retiredVersions.indexOf(version) < index ? [faultOf(path, 'repeated_value', 'Stands there twice.')] : []
  })
  const kept = new Set(after?.retired)
  const missing = before?.retired?.find(version => !kept.has(version))
  return missing === undefined
    ? faults
    : [
        ...faults,
        faultOf('/retiredVersions', 'retired_version', `Leaves out ${missing}, which is retired and stays so.`),
      ]
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
 * The protocol that a new entity is to follow: one of this oracle, in use, in its newest version, unless who registers the
 * entity controls the protocol.
 *
 * @param wanted.version the newest where none is named
 * @param wanted.by the DID of who registers the entity
 * @throws ProtocolUnknown `protocol_unknown`, ProtocolVersionSuperseded, ProtocolVersionRetired
 */
export const findProtocol = async (
  { protocols, parties }: Pick<WritingParts, 'protocols' | 'parties'>,
  known: KnownEntities,
  { did, version, by }: { readonly did: string; readonly version?: number; readonly by: string },
): Promise<ProtocolDefinition> => {
  const entity = known.get(entityIdOf(did) ?? '')
  if (!entity?.definition || !isSameDid(entity.did, did) || entity.status !== 'active') {
    throw new ProtocolUnknown('/protocol')
  }
  const wanted = version ?? entity.definition.version
  assertMayFollow(parties, entity, wanted, by)
  const definition = await protocols.find(entity.did, wanted)
  if (!definition) throw new ProtocolUnknown('/protocolVersion')
  return definition
}

/**
 * Lets an entity follow the newest version of a protocol, and an older one where who asks controls the protocol.
 *
 * @throws ProtocolUnknown `protocol_unknown`, ProtocolVersionSuperseded, ProtocolVersionRetired
 */
export const assertMayFollow = (
  parties: Parties,
  { controller, definition }: Pick<StoredEntity, 'controller' | 'definition'>,
  version: number,
  by: string,
): void => {
  if (!definition || version > definition.version) throw new ProtocolUnknown('/protocolVersion')
  if (definition.retired?.includes(version)) throw entitiesFailures.protocol_version_retired({ version })
  if (version < definition.version && !parties.isSame(controller, by)) {
    throw entitiesFailures.protocol_version_superseded({ newest: definition.version })
  }
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
