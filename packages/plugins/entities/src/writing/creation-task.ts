import type { EntityCreation, Fault, JsonValue } from '@sibyl/protocol'
import { EntityInvalid } from '../entities-errors.ts'
import type { SignedChange } from '../history/sign-links.ts'
import type { ProtocolDefinition } from '../protocols/protocol-definition.ts'
import { entityDid, entityIdOf } from '../records/entity-did.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import { limitFaults, sizeFaults } from './entity-limits.ts'
import { assertMayAddGroup, membershipGroupType, organisationType, subDomainOf } from './membership-groups.ts'
import { findProtocol, protocolType, type ReadProtocol, readPostedProtocol } from './posted-protocol.ts'
import { edgesTo, listedRelationships, type Relationships, resolveTargets, targetIds } from './relationship-targets.ts'
import { replyKeyOf } from './replies.ts'
import type { KnownEntities, PreparedWrite, WriteTask } from './write-task.ts'
import type { WritingParts } from './writing-parts.ts'

/** Registers an entity; an Organisation together with its groups. @param by the DID of who does */
export const creationTask = (
  parts: WritingParts,
  creation: EntityCreation,
  by: string,
  idempotencyKey: string | undefined,
): WriteTask => {
  const isProtocol = creation.type === protocolType
  const relationships = listedRelationships((isProtocol ? undefined : creation.relationships) ?? {})
  const protocolId = creation.protocol === undefined ? [] : (entityIdOf(creation.protocol) ?? [])
  const reply = idempotencyKey === undefined ? undefined : replyKeyOf(by, idempotencyKey, creation as JsonValue)
  return {
    holds: reply ? [reply.key] : [],
    reads: [...targetIds(relationships), ...[protocolId].flat()],
    ...(reply ? { reply } : {}),
    prepare: known => prepareCreation(parts, { creation, by, relationships }, known),
  }
}

interface Asked {
  readonly creation: EntityCreation
  readonly by: string
  readonly relationships: Relationships
}

const prepareCreation = async (parts: WritingParts, asked: Asked, known: KnownEntities): Promise<PreparedWrite> => {
  const { creation, by, relationships } = asked
  const { type, protocol, protocolVersion } = creation
  const id = parts.newId()
  const did = entityDid(parts.publicDid(), id)
  const definition = protocol && (await findProtocol(parts.protocols, known, protocol, protocolVersion))
  const targets = resolveTargets(relationships, known)
  const domainClass = parts.rules.domainClass(type, definition || undefined)
  const faults = [...misplacedFaults(creation), ...limitFaults({ ...limited(creation), relationships })]
  const posted = type === protocolType ? readProtocol(parts, creation, did, faults) : undefined
  if (!posted) {
    faults.push(
      ...parts.rules.check(definition || undefined, creation.properties ?? {}),
      ...parts.relationshipRules.check({ id, type, domainClass }, definition || undefined, relationships, targets),
    )
  }
  const change = changeOf(parts, asked, definition || undefined)
  if (faults.length === 0) faults.push(...sizeFaults(change))
  if (faults.length > 0) throw new EntityInvalid(faults)
  assertMayAddGroup(parts.parties, type, relationships, targets, by)
  const at = parts.now()
  const created = await parts.signer.sign(
    {
      before: undefined,
      after: {
        id,
        did,
        type,
        domainClass,
        controller: change.controller,
        status: 'active',
        ...(definition ? { protocol: { did: definition.did, version: definition.version } } : {}),
        properties: creation.properties ?? {},
        services: creation.services ?? [],
        credentials: [],
        alsoKnownAs: creation.alsoKnownAs ?? [],
        ...(creation.claim === undefined ? {} : { claim: creation.claim }),
        ...(posted ? { definition: posted.posted } : {}),
        createdAt: at,
      },
      kind: 'created',
      by,
      change,
      addedEdges: edgesTo(id, relationships, targets),
    },
    at,
  )
  return {
    changes: [created, ...(await groupsOf(parts, creation, created, at))],
    definitions: posted ? [posted.definition] : [],
    answer: { entity: created.after, relationships: shownTargets(relationships, targets) },
  }
}

/** What stands in the event: the body as it was taken. */
const changeOf = (
  { parties }: WritingParts,
  { creation, by, relationships }: Asked,
  definition: ProtocolDefinition | undefined,
) => ({
  ...(creation as Record<string, JsonValue> & { type: string }),
  controller: parties.partyOf(creation.controller ?? by),
  ...(definition ? { protocol: definition.did, protocolVersion: definition.version } : {}),
  ...(creation.type !== protocolType && creation.relationships
    ? { relationships: relationships as Record<string, string[]> }
    : {}),
})

const readProtocol = (
  { rules }: WritingParts,
  { properties = {}, relationships = {}, claim, domainClass }: EntityCreation,
  did: string,
  faults: readonly Fault[],
): ReadProtocol =>
  readPostedProtocol(
    rules,
    { properties, relationships, ...(claim === undefined ? {} : { claim }), ...(domainClass ? { domainClass } : {}) },
    { did, version: 1 },
    faults,
  )

const limited = ({ properties, services, alsoKnownAs, membershipGroups, claim }: EntityCreation) => ({
  ...(properties ? { properties } : {}),
  ...(services ? { services } : {}),
  ...(alsoKnownAs ? { alsoKnownAs } : {}),
  ...(membershipGroups ? { membershipGroups } : {}),
  ...(claim === undefined ? {} : { claim }),
})

/** Faults of members that belong to other types. */
const misplacedFaults = (creation: EntityCreation): Fault[] => {
  const faults: Fault[] = []
  const misplaced = (member: keyof EntityCreation, whose: string) => {
    if (creation[member] === undefined) return
    faults.push({ path: `/${member}`, code: 'not_allowed_here', message: `Only ${whose} has this member.` })
  }
  if (creation.type !== organisationType) misplaced('membershipGroups', 'an Organisation')
  if (creation.type === protocolType) {
    misplaced('protocol', 'an entity that is no Protocol')
    misplaced('protocolVersion', 'an entity that is no Protocol')
  } else {
    misplaced('claim', 'a Protocol')
    misplaced('domainClass', 'a Protocol')
    if (creation.protocol === undefined) misplaced('protocolVersion', 'an entity with a protocol')
  }
  return faults
}

const groupsOf = async (
  { publicDid, newId, signer, rules }: WritingParts,
  { type, membershipGroups = ['Members'] }: EntityCreation,
  { after: organisation, by }: SignedChange,
  at: number,
): Promise<readonly SignedChange[]> =>
  type === organisationType
    ? Promise.all(
        membershipGroups.map(name => {
          const id = newId()
          const { controller } = organisation
          const properties = { name }
          const group: Omit<StoredEntity, 'version' | 'updatedAt' | 'hash'> = {
            id,
            did: entityDid(publicDid(), id),
            type: membershipGroupType,
            domainClass: rules.domainClass(membershipGroupType, undefined),
            controller,
            status: 'active',
            properties,
            services: [],
            credentials: [],
            alsoKnownAs: [],
            createdAt: at,
          }
          const relationships = { [subDomainOf]: [organisation.did] }
          return signer.sign(
            {
              before: undefined,
              after: group,
              kind: 'created',
              by,
              change: { type: membershipGroupType, controller, properties, relationships },
              addedEdges: [{ from: id, relationship: subDomainOf, to: organisation.id }],
            },
            at,
          )
        }),
      )
    : []

/** Relationships with the DIDs as they are stored. */
const shownTargets = (
  relationships: Relationships,
  targets: ReadonlyMap<string, { readonly did: string }>,
): Relationships =>
  Object.fromEntries(
    Object.entries(relationships).map(([name, given]) => [
      name,
      given.map(target => targets.get(target)?.did ?? target),
    ]),
  )
