import type { EntityPatch } from '@sibyl/protocol'
import type { Parties } from '../access/parties.ts'
import { type ChangeRequest, changeableEntity, idsOf } from './changeable-entity.ts'
import { answersOffer, assertConsent } from './controller-consent.ts'
import { patchedRelationships } from './patched-entity.ts'
import { protocolType } from './posted-protocol.ts'
import { targetIds } from './relationship-targets.ts'
import { updateEntity } from './update-entity.ts'
import { updateProtocol } from './update-protocol.ts'
import type { WriteTask } from './write-task.ts'
import type { WritingParts } from './writing-parts.ts'

/** Changes an entity by a merge patch (RFC 7396). */
export const updateTask = (parts: WritingParts, request: ChangeRequest, given: EntityPatch): WriteTask => {
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

/** A patch with the DIDs of controllers as they are written down. */
const withParties = (parties: Parties, { controller, pendingController, ...patch }: EntityPatch): EntityPatch => ({
  ...patch,
  ...(controller === undefined ? {} : { controller: parties.partyOf(controller) }),
  ...(pendingController === undefined
    ? {}
    : { pendingController: pendingController === null ? null : parties.partyOf(pendingController) }),
})
