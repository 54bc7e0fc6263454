import { isDeepStrictEqual } from 'node:util'
import type { Violation } from '@sibyl/protocol'
import type { EntityPatch } from '../records/entity-contract.ts'
import { mergePatch } from '../records/merge-patch.ts'
import type { StoredEntity, UnsignedEntity } from '../records/stored-entity.ts'
import { detailsOf } from '../storage/entity-rows.ts'
import { limitViolations, misplacedViolation, sizeViolations } from './entity-limits.ts'
import { protocolType } from './posted-protocol.ts'
import { listedRelationships, type Relationships } from './relationship-targets.ts'

/** Applies a patch to an entity, except to its protocol, its definition and its edges. */
export const patchedEntity = (entity: StoredEntity, patch: EntityPatch): UnsignedEntity => {
  const { version: _version, updatedAt: _updatedAt, hash: _hash, claim: before, pendingController, ...kept } = entity
  const claim = patch.claim === undefined ? before : (patch.claim ?? undefined)
  const controller = patch.controller ?? entity.controller
  const stays = controller === entity.controller ? pendingController : undefined
  const offered = patch.pendingController === undefined ? stays : (patch.pendingController ?? undefined)
  return {
    ...kept,
    controller,
    ...(offered === undefined || offered === controller ? {} : { pendingController: offered }),
    properties: patch.properties === null ? {} : mergePatch(entity.properties, patch.properties ?? {}),
    services: patch.services === null ? [] : (patch.services ?? entity.services),
    alsoKnownAs: patch.alsoKnownAs === null ? [] : (patch.alsoKnownAs ?? entity.alsoKnownAs),
    ...(claim === undefined ? {} : { claim }),
  }
}

/** Returns whether a patch changes nothing but edges. */
export const isSameEntity = (before: StoredEntity, after: UnsignedEntity): boolean =>
  before.controller === after.controller &&
  before.domainClass === after.domainClass &&
  before.protocol?.version === after.protocol?.version &&
  isDeepStrictEqual(detailsOf(before), detailsOf(after))

/** Returns the relationships that a patch replaces; removed ones have no targets. */
export const patchedRelationships = ({ relationships = {} }: EntityPatch): Relationships =>
  listedRelationships(Object.fromEntries(Object.entries(relationships).map(([name, given]) => [name, given ?? []])))

/** Returns the problems of a patch itself, and of the limits of the patched entity. */
export const patchViolations = (
  entity: StoredEntity,
  patch: EntityPatch,
  { properties }: UnsignedEntity,
  relationships: Relationships,
): Violation[] => {
  const { services, alsoKnownAs, claim } = patch
  const violations = [
    ...sizeViolations(patch),
    ...limitViolations({
      properties,
      services: services ?? undefined,
      alsoKnownAs: alsoKnownAs ?? undefined,
      claim,
      relationships,
    }),
  ]
  const misplaced = (member: keyof EntityPatch, whose: string) => {
    if (patch[member] !== undefined) violations.push(misplacedViolation(member, whose))
  }
  if (entity.type !== protocolType) {
    misplaced('claim', 'a Protocol')
    misplaced('domainClass', 'a Protocol')
    misplaced('retiredVersions', 'a Protocol')
  }
  if (!entity.protocol) misplaced('protocolVersion', 'an entity with a protocol')
  return violations
}
