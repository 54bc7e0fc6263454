import type { SignedChange } from '../history/sign-links.ts'
import { isOrganisationType } from '../records/entity-types.ts'
import type { StoredEntity, UnsignedEntity } from '../records/stored-entity.ts'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'
import { findEntities } from '../storage/entity-rows.ts'
import { type ChangeRequest, changeableEntity, idsOf } from './changeable-entity.ts'
import { activeGroupsOf, assertGroupsLeft, membershipGroupType, organisationsOfGroup } from './membership-groups.ts'
import { Clash, type WriteTask, type WritingDependencies } from './write-task.ts'

/** Deactivates an entity; an organization together with its groups. */
export const deactivationTask = (parts: WritingDependencies, request: ChangeRequest): WriteTask => {
  const ids = idsOf(request.did)
  return {
    holds: ids,
    reads: ids,
    prepare: async known => {
      const entity = changeableEntity(parts, known, request)
      const deactivated = await deactivate(parts, entity, request.by)
      const verify = ruleAfter(entity)
      return {
        changes: [deactivated, ...(await deactivateGroups(parts, entity, request.by))],
        definitions: [],
        ...(verify ? { verify } : {}),
        answer: { entity: deactivated.after },
      }
    },
  }
}

const deactivate = ({ signer, now }: WritingDependencies, entity: StoredEntity, by: string): Promise<SignedChange> => {
  const after: UnsignedEntity = { ...entity, status: 'deactivated' }
  return signer.sign({ before: entity, after, kind: 'deactivated', by, change: {} }, now())
}

const deactivateGroups = async (
  parts: WritingDependencies,
  { id, type }: StoredEntity,
  by: string,
): Promise<readonly SignedChange[]> => {
  if (!isOrganisationType(type)) return []
  const { read } = parts.storage
  const groups = await findEntities(read, await activeGroupsOf(read, id))
  return Promise.all([...groups.values()].map(group => deactivate(parts, group, by)))
}

/** Returns the rule that holds once the entity is deactivated. */
const ruleAfter = ({ id, type }: StoredEntity): ((tx: EntitiesTransaction) => Promise<void>) | undefined => {
  if (type === membershipGroupType) return async tx => assertGroupsLeft(tx, await organisationsOfGroup(tx, id))
  if (!isOrganisationType(type)) return undefined
  return async tx => {
    if ((await activeGroupsOf(tx, id, 1)).length > 0) throw new Clash()
  }
}
