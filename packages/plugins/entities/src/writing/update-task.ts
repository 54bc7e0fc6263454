import type { EntityPatch } from '@sibyl/protocol'
import { type ChangeRequest, changeableEntity, idsOf } from './changeable-entity.ts'
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
  const patch = given.controller ? { ...given, controller: parts.parties.partyOf(given.controller) } : given
  return {
    holds: ids,
    reads: [...ids, ...targetIds(patchedRelationships(patch))],
    prepare: async known => {
      const entity = changeableEntity(parts, known, request)
      return entity.type === protocolType
        ? updateProtocol(parts, entity, patch, request.by)
        : updateEntity(parts, entity, patch, request.by, known)
    },
  }
}
