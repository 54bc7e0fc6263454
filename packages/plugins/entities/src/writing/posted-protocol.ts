import type { DomainClass, Fault, JsonValue, Properties } from '@sibyl/protocol'
import { EntityInvalid, ProtocolUnknown } from '../entities-errors.ts'
import type { ProtocolDefinition } from '../protocols/protocol-definition.ts'
import type { ProtocolRules } from '../protocols/protocol-rules.ts'
import type { ProtocolStore } from '../protocols/protocol-store.ts'
import { entityIdOf, isSameDid } from '../records/entity-did.ts'
import type { PostedDefinition } from '../records/stored-entity.ts'
import type { KnownEntities } from './write-task.ts'

/** The type of entities that are protocols. */
export const protocolType = 'Protocol'

/** What was posted of a Protocol. */
export interface PostedProtocol {
  readonly properties: Properties
  readonly relationships: Readonly<Record<string, string | readonly string[]>>
  readonly claim?: JsonValue
  readonly domainClass?: DomainClass
}

/** A Protocol that was read: what stands in its record, and what entities are checked against. */
export interface ReadProtocol {
  readonly posted: PostedDefinition
  readonly definition: ProtocolDefinition
}

/**
 * Reads a posted Protocol. A kind may be given as a list of one, as records show it.
 *
 * @throws EntityInvalid with every fault of it
 */
export const readPostedProtocol = (
  rules: Pick<ProtocolRules, 'parse'>,
  { relationships, ...posted }: PostedProtocol,
  as: { readonly did: string; readonly version: number },
  otherFaults: readonly Fault[],
): ReadProtocol => {
  const kinds = Object.fromEntries(
    Object.entries(relationships).map(([name, kind]) => [name, [kind].flat().length === 1 ? [kind].flat()[0]! : kind]),
  )
  const definition = rules.parse({ ...posted, relationships: kinds }, as)
  const faults = [...otherFaults, ...('faults' in definition ? definition.faults : [])]
  if ('faults' in definition || faults.length > 0) throw new EntityInvalid(faults)
  const { domainClass } = posted
  return {
    posted: { version: as.version, relationships: definition.relationships, ...(domainClass ? { domainClass } : {}) },
    definition,
  }
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
