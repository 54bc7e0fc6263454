import { erasedMark } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import { type EraseLinksDependencies, eraseMostLinks, writeErasedLinks } from '../history/erase-links.ts'
import type { EntityPatch } from '../records/entity-contract.ts'
import { patchedEntity } from '../state/patched-entity.ts'
import { protocolType } from '../state/posted-protocol.ts'
import type { WriteTask, WritingDependencies } from './write-task.ts'

/** A request to remove an erased person's data from an entity. */
export interface ErasureRequest {
  readonly id: string
  /** DID of the person, who controls it. */
  readonly did: string
}

/**
 * Removes an erased person's data from an entity: the oracle becomes its controller, its content is removed, and its
 * links contain no data of the person. A Protocol keeps its content, because it is a template that others follow. No
 * rule of a protocol is applied.
 */
export const erasureTask = (
  parts: WritingDependencies & { readonly identity: EraseLinksDependencies['identity'] },
  { id, did }: ErasureRequest,
): WriteTask => ({
  holds: [id],
  reads: [id],
  prepare: async known => {
    const entity = known.get(id)
    if (!entity) throw new TypeError('the entity of an erasure does not exist')
    if (entity.controller !== did) return { unchanged: { entity } }
    const controller = parts.publicDid()
    const isTheirs = entity.type !== protocolType
    const patch: EntityPatch = isTheirs
      ? { controller, properties: null, services: null, alsoKnownAs: null }
      : { controller }
    const mark = erasedMark(did)
    const credentials = entity.credentials.map(one => (one.issuer === did ? { ...one, issuer: mark } : one))
    const after = { ...patchedEntity(entity, patch), credentials }
    const signed = await parts.signer.sign(
      { before: entity, after, kind: 'updated', by: controller, change: patch as JsonValue },
      parts.now(),
    )
    const links = await eraseMostLinks(parts, entity, { did, mark, isTheirs })
    return {
      changes: [signed],
      definitions: [],
      also: async tx => {
        await writeErasedLinks(tx, id, links)
        await tx.deleteFrom('entities_replies').where('entity_id', '=', id).execute()
      },
      scrub: true,
      answer: { entity: signed.after },
    }
  },
})
