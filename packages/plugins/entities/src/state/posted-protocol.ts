import { isDeepStrictEqual } from 'node:util'
import type { Violation } from '@sibyl/protocol'
import { entityInvalid } from '../errors/entities-errors.ts'
import type { ProtocolRules } from '../protocols/protocol-rules.ts'
import type { EntityCreation, EntityPatch } from '../records/entity-contract.ts'
import type { DomainClass } from '../records/entity-members.ts'
import { mergePatch } from '../records/merge-patch.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import type { PostedDefinition, StoredEntity, UnsignedEntity } from '../records/stored-entity.ts'
import { violationOf } from './entity-limits.ts'

export const protocolType = 'Protocol'

/** Returns the definition in the creation of a Protocol. */
export const postedDefinition = ({
  relationships = {},
  domainClass,
}: Pick<EntityCreation, 'relationships' | 'domainClass'>): PostedDefinition => ({
  version: 1,
  relationships: kindsIn(relationships),
  ...classIn(domainClass),
})

/** Returns a Protocol's definition after a patch, with the next version if the patch changes it. */
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

/** Returns the problems of the versions that a patch retires. */
export const retirementViolations = (
  { definition: before }: StoredEntity,
  after: PostedDefinition | undefined,
  { retiredVersions = [] }: EntityPatch,
): readonly Violation[] => {
  const newest = after?.version ?? 0
  const violations = retiredVersions.flatMap((version, index) => {
    const path = `/retiredVersions/${index}`
    if (version >= newest) {
      const message = `Must be less than ${newest}, the newest version. To end the newest version, deactivate the protocol.`
      return [violationOf(path, 'newest_version', message)]
    }
    return retiredVersions.indexOf(version) < index ? [violationOf(path, 'repeated_value', 'Is repeated.')] : []
  })
  const kept = new Set(after?.retired)
  const missing = before?.retired?.find(version => !kept.has(version))
  return missing === undefined
    ? violations
    : [
        ...violations,
        violationOf('/retiredVersions', 'retired_version', `Version ${missing} is missing. It is retired permanently.`),
      ]
}

/**
 * Returns the definition of a posted Protocol.
 *
 * @param otherViolations other problems of the request
 * @throws entityInvalid with every problem
 */
export const readDefinition = (
  rules: Pick<ProtocolRules, 'parse'>,
  { did, properties, claim }: Pick<StoredEntity, 'did' | 'properties' | 'claim'>,
  { version, relationships, domainClass }: PostedDefinition,
  otherViolations: readonly Violation[],
): ProtocolDefinition => {
  const posted = { properties, relationships, ...(claim === undefined ? {} : { claim }), ...classIn(domainClass) }
  const definition = rules.parse(posted, { did, version })
  const violations = [...otherViolations, ...('faults' in definition ? definition.faults : [])]
  if ('faults' in definition || violations.length > 0) throw entityInvalid(violations)
  return definition
}

const classIn = (domainClass: DomainClass | undefined) => (domainClass ? { domainClass } : {})

/**
 * Returns kinds by name. A list with one item becomes its item, as records show it; other lists stay, and are reported
 * as problems.
 */
const kindsIn = (given: Readonly<Record<string, string | readonly string[]>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(given).map(([name, kind]) => [
      name,
      (Array.isArray(kind) && kind.length === 1 ? kind[0] : kind) as string,
    ]),
  )
