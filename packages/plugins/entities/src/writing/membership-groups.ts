import type { Parties } from '../access/parties.ts'
import { entitiesFailures } from '../errors/entities-errors.ts'
import { isOrganisationType, organisationTypes } from '../records/entity-types.ts'
import type { Edge, StoredEntity } from '../records/stored-entity.ts'
import type { Relationships } from '../state/relationship-targets.ts'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'
import { Clash, type PreparedWrite } from './write-task.ts'

export const membershipGroupType = 'MembershipGroup'

/** Relationship from a group to its organisation. */
export const subDomainOf = 'subDomainOf'

/**
 * Checks that the caller who adds groups to an organization is its controller.
 *
 * @throws `not_controller`
 */
export const assertMayAddGroup = (
  parties: Parties,
  type: string,
  relationships: Relationships,
  targets: ReadonlyMap<string, Pick<StoredEntity, 'type' | 'did' | 'controller'>>,
  by: string,
): void => {
  if (type !== membershipGroupType) return
  for (const given of relationships[subDomainOf] ?? []) {
    const target = targets.get(given)
    if (target && isOrganisationType(target.type) && !parties.isSame(target.controller, by))
      throw entitiesFailures.not_controller({ did: target.did })
  }
}

/**
 * Returns the rule that must hold after edges were written: active organizations have a group, and active groups belong
 * to no deactivated organization.
 */
export const groupRuleOf = (
  type: string,
  addedEdges: readonly Edge[],
  removedEdges: readonly Edge[],
): Pick<PreparedWrite, 'verify'> => {
  const [joined, left] = [organisationsOf(type, addedEdges), organisationsOf(type, removedEdges)]
  if (joined.length === 0 && left.length === 0) return {}
  return {
    verify: async tx => {
      await assertInUse(tx, joined)
      await assertGroupsLeft(tx, left)
    },
  }
}

/** Returns the ids of the organizations that a group belongs to by its edges. */
const organisationsOf = (type: string, edges: readonly Edge[]): readonly string[] =>
  type === membershipGroupType
    ? edges.filter(({ relationship }) => relationship === subDomainOf).map(({ to }) => to)
    : []

/** Returns the ids of a group's organizations, as its transaction sees them. */
export const organisationsOfGroup = async (tx: EntitiesTransaction, groupId: string): Promise<readonly string[]> => {
  const rows = await tx
    .selectFrom('entities_edges')
    .select('to_node')
    .where(eb => eb.and({ from_node: groupId, relationship: subDomainOf }))
    .execute()
  return rows.map(({ to_node }) => to_node)
}

/** Returns the ids of an organization's active groups; at most `limit`, if given. */
export const activeGroupsOf = async (
  db: Pick<EntitiesTransaction, 'selectFrom'>,
  organisationId: string,
  limit?: number,
): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('entities_edges')
    .innerJoin('entities_entities', 'entities_entities.id', 'entities_edges.from_node')
    .select('entities_entities.id')
    .where(eb => eb.and({ 'entities_edges.to_node': organisationId, 'entities_edges.relationship': subDomainOf }))
    .where(eb => eb.and({ 'entities_entities.type': membershipGroupType, 'entities_entities.status': 'active' }))
    .$if(limit !== undefined, query => query.limit(limit ?? 1))
    .execute()
  return rows.map(({ id }) => id)
}

/** Prepares a write again if an organization that it adds a group to was deactivated meanwhile. */
const assertInUse = async (tx: EntitiesTransaction, organisationIds: readonly string[]): Promise<void> => {
  if (organisationIds.length === 0) return
  const gone = await tx
    .selectFrom('entities_entities')
    .select('id')
    .where('id', 'in', organisationIds)
    .where('type', 'in', organisationTypes)
    .where('status', '!=', 'active')
    .limit(1)
    .execute()
  if (gone.length > 0) throw new Clash()
}

/**
 * Checks, in the transaction that removed groups, that active organizations still have one.
 *
 * @throws `last_membership_group`
 */
export const assertGroupsLeft = async (tx: EntitiesTransaction, organisationIds: readonly string[]): Promise<void> => {
  for (const id of new Set(organisationIds)) {
    const organisation = await tx
      .selectFrom('entities_entities')
      .select(['did', 'type', 'status'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!organisation || !isOrganisationType(organisation.type) || organisation.status !== 'active') continue
    if ((await activeGroupsOf(tx, id, 1)).length === 0)
      throw entitiesFailures.last_membership_group({ did: organisation.did })
  }
}
