import type { EntityPatch, JsonValue } from '@sibyl/protocol'
import { EntityInvalid } from '../entities-errors.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import { entitySizeFaults } from './entity-limits.ts'
import { isSameEntity, patchedEntity, patchFaults } from './patched-entity.ts'
import { patchedDefinition, readDefinition, retirementFaults } from './posted-protocol.ts'
import type { Answer, PreparedWrite } from './write-task.ts'
import type { WritingParts } from './writing-parts.ts'

/** Changes a Protocol; what entities are checked against becomes a new version, the old ones stay. */
export const updateProtocol = async (
  { rules, signer, now }: WritingParts,
  entity: StoredEntity,
  patch: EntityPatch,
  by: string,
): Promise<PreparedWrite | { readonly unchanged: Answer }> => {
  const patched = patchedEntity(entity, patch)
  const definition = patchedDefinition(entity, patched, patch)
  const after = definition ? { ...patched, definition } : patched
  const faults = [
    ...patchFaults(entity, patch, after, {}),
    ...retirementFaults(entity, definition, patch),
    ...entitySizeFaults(after),
  ]
  const isNew = definition !== undefined && definition.version !== entity.definition?.version
  const definitions = isNew ? [readDefinition(rules, after, definition, faults)] : []
  if (faults.length > 0) throw new EntityInvalid(faults)
  if (isSameEntity(entity, after)) return { unchanged: { entity } }
  const signed = await signer.sign({ before: entity, after, kind: 'updated', by, change: patch as JsonValue }, now())
  return { changes: [signed], definitions, answer: { entity: signed.after } }
}
