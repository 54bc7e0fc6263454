import type { JsonValue } from '@sibyl/protocol'
import type { Parties } from '../access/parties.ts'
import { entityInvalid } from '../errors/entities-errors.ts'
import type { EntityPatch } from '../records/entity-contract.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import { entitySizeViolations } from '../state/entity-limits.ts'
import { isSameEntity, patchedEntity, patchedRelationships, patchViolations } from '../state/patched-entity.ts'
import { patchedDefinition, protocolType, readDefinition, retirementViolations } from '../state/posted-protocol.ts'
import { targetIds } from '../state/relationship-targets.ts'
import { answersOffer, assertConsent, type ChangeRequest, changeableEntity, idsOf } from './changeable-entity.ts'
import { updateEntity } from './update-entity.ts'
import type { Answer, PreparedWrite, WriteTask, WritingDependencies } from './write-task.ts'

/** Changes an entity by a merge patch (RFC 7396). */
export const updateTask = (parts: WritingDependencies, request: ChangeRequest, given: EntityPatch): WriteTask => {
  const ids = idsOf(request.did)
  const { parties } = parts
  const patch = withParties(parties, given)
  return {
    holds: ids,
    reads: [...ids, ...targetIds(patchedRelationships(patch))],
    prepare: async known => {
      const entity = changeableEntity(parts, known, request, answersOffer(parties, patch, request.by))
      assertConsent(parties, request, patch.controller, entity.controller)
      return entity.type === protocolType
        ? updateProtocol(parts, entity, patch, request.by)
        : updateEntity(parts, entity, patch, request.by, known)
    },
  }
}

/** Returns a patch with the DIDs of controllers in stored form. */
const withParties = (parties: Parties, { controller, pendingController, ...patch }: EntityPatch): EntityPatch => ({
  ...patch,
  ...(controller === undefined ? {} : { controller: parties.partyOf(controller) }),
  ...(pendingController === undefined
    ? {}
    : { pendingController: pendingController === null ? null : parties.partyOf(pendingController) }),
})

/** Changes a Protocol; a changed definition becomes a new version, and the old ones stay. */
const updateProtocol = async (
  { rules, signer, now }: WritingDependencies,
  entity: StoredEntity,
  patch: EntityPatch,
  by: string,
): Promise<PreparedWrite | { readonly unchanged: Answer }> => {
  const patched = patchedEntity(entity, patch)
  const definition = patchedDefinition(entity, patched, patch)
  const after = definition ? { ...patched, definition } : patched
  const violations = [
    ...patchViolations(entity, patch, after, {}),
    ...retirementViolations(entity, definition, patch),
    ...entitySizeViolations(after),
  ]
  const isNew = definition !== undefined && definition.version !== entity.definition?.version
  const definitions = isNew ? [readDefinition(rules, after, definition, violations)] : []
  if (violations.length > 0) throw entityInvalid(violations)
  if (isSameEntity(entity, after)) return { unchanged: { entity } }
  const signed = await signer.sign({ before: entity, after, kind: 'updated', by, change: patch as JsonValue }, now())
  return { changes: [signed], definitions, answer: { entity: signed.after } }
}
