import type { JsonValue, Violation } from '@sibyl/protocol'
import { entityInvalid } from '../errors/entities-errors.ts'
import type { SignedChange } from '../history/sign-links.ts'
import { entityDid, entityIdOf } from '../records/entity-did.ts'
import { isOrganisationType, typeFormViolations } from '../records/entity-types.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import type { KnownEntities, NewEntity, UnsignedEntity } from '../records/stored-entity.ts'
import { limitViolations, misplacedViolation, sizeViolations } from '../state/entity-limits.ts'
import { postedDefinition, protocolType, readDefinition } from '../state/posted-protocol.ts'
import {
  edgesTo,
  listedRelationships,
  type Relationships,
  resolveTargets,
  storedDids,
  targetIds,
} from '../state/relationship-targets.ts'
import { type Assigner, assertConsent } from './changeable-entity.ts'
import { findProtocol } from './followed-protocol.ts'
import { assertMayAddGroup, groupRuleOf, membershipGroupType, subDomainOf } from './membership-groups.ts'
import { replyKeyOf } from './replies.ts'
import type { PreparedWrite, WriteTask, WritingDependencies } from './write-task.ts'

/** Registers an entity; an organization together with its groups. */
export const creationTask = (
  parts: WritingDependencies,
  creation: NewEntity,
  { by, isOperators }: Assigner,
  idempotencyKey: string | undefined,
): WriteTask => {
  const isProtocol = creation.type === protocolType
  const relationships = listedRelationships((isProtocol ? undefined : creation.relationships) ?? {})
  const protocolId = creation.protocol === undefined ? [] : (entityIdOf(creation.protocol) ?? [])
  const reply =
    idempotencyKey === undefined ? undefined : replyKeyOf(by, idempotencyKey, creation as unknown as JsonValue)
  return {
    holds: reply ? [reply.key] : [],
    reads: [...targetIds(relationships), ...[protocolId].flat()],
    ...(reply ? { reply } : {}),
    prepare: async known => {
      assertConsent(parts.parties, { by, isOperators }, creation.controller)
      return prepareCreation(parts, { creation, by, relationships }, known)
    },
  }
}

interface Asked {
  readonly creation: NewEntity
  readonly by: string
  readonly relationships: Relationships
}

const prepareCreation = async (
  parts: WritingDependencies,
  asked: Asked,
  known: KnownEntities,
): Promise<PreparedWrite> => {
  const { creation, by, relationships } = asked
  const { type, protocol, protocolVersion } = creation
  const id = parts.newId()
  const did = entityDid(parts.publicDid(), id)
  const protocolDefinition =
    protocol === undefined
      ? undefined
      : await findProtocol(parts, known, { did: protocol, by, version: protocolVersion })
  const targets = resolveTargets(relationships, known)
  const domainClass = parts.rules.domainClass(type, protocolDefinition)
  const change = changeOf(parts, asked, targets, protocolDefinition)
  const at = parts.now()
  const after: UnsignedEntity = {
    id,
    did,
    type,
    domainClass,
    controller: change.controller,
    ...(change.pendingController === undefined ? {} : { pendingController: change.pendingController }),
    status: 'active',
    ...(protocolDefinition ? { protocol: { did: protocolDefinition.did, version: protocolDefinition.version } } : {}),
    properties: creation.properties ?? {},
    services: creation.services ?? [],
    credentials: creation.verifiableCredential ?? [],
    alsoKnownAs: creation.alsoKnownAs ?? [],
    ...(creation.claim === undefined ? {} : { claim: creation.claim }),
    ...(type === protocolType ? { definition: postedDefinition(creation) } : {}),
    createdAt: at,
  }
  const violations = [
    ...typeFormViolations(type),
    ...misplacedViolations(creation),
    ...limitViolations({ ...creation, relationships }),
    ...sizeViolations(change),
  ]
  const definitions = after.definition ? [readDefinition(parts.rules, after, after.definition, violations)] : []
  if (!after.definition) {
    violations.push(
      ...parts.rules.check(protocolDefinition, after.properties),
      ...parts.relationshipRules.check(after, protocolDefinition, relationships, targets),
    )
  }
  if (violations.length > 0) throw entityInvalid(violations)
  assertMayAddGroup(parts.parties, type, relationships, targets, by)
  const addedEdges = edgesTo(id, relationships, targets)
  const created = await parts.signer.sign({ before: undefined, after, kind: 'created', by, change, addedEdges }, at)
  return {
    changes: [created, ...(await groupsOf(parts, creation, created, at))],
    definitions,
    ...groupRuleOf(type, addedEdges, []),
    answer: { entity: created.after, relationships: storedDids(relationships, targets) },
  }
}

/** Returns the content of the event: the accepted body. */
const changeOf = (
  { parties }: WritingDependencies,
  { creation, by, relationships }: Asked,
  targets: ReadonlyMap<string, { readonly did: string }>,
  definition: ProtocolDefinition | undefined,
) => {
  const { pendingController, ...rest } = creation
  const controller = parties.partyOf(creation.controller ?? by)
  const offered = pendingController === undefined ? controller : parties.partyOf(pendingController)
  return {
    ...(rest as unknown as Record<string, JsonValue> & { type: string }),
    controller,
    ...(offered === controller ? {} : { pendingController: offered }),
    ...(definition ? { protocol: definition.did, protocolVersion: definition.version } : {}),
    ...(creation.type !== protocolType && creation.relationships
      ? { relationships: storedDids(relationships, targets) }
      : {}),
  }
}

/** Returns the problems of members that belong to other types. */
const misplacedViolations = (creation: NewEntity): Violation[] => {
  const violations: Violation[] = []
  const misplaced = (member: keyof NewEntity, whose: string) => {
    if (creation[member] !== undefined) violations.push(misplacedViolation(member, whose))
  }
  if (!isOrganisationType(creation.type)) misplaced('membershipGroups', 'an Organisation')
  if (creation.type === protocolType) {
    misplaced('protocol', 'an entity that is not a Protocol')
    misplaced('protocolVersion', 'an entity that is not a Protocol')
  } else {
    misplaced('claim', 'a Protocol')
    misplaced('domainClass', 'a Protocol')
    if (creation.protocol === undefined) misplaced('protocolVersion', 'an entity with a protocol')
  }
  return violations
}

const groupsOf = async (
  { publicDid, newId, signer, rules }: WritingDependencies,
  { type, membershipGroups = ['Members'] }: NewEntity,
  { after: organisation, by }: SignedChange,
  at: number,
): Promise<readonly SignedChange[]> =>
  isOrganisationType(type)
    ? Promise.all(
        membershipGroups.map(name => {
          const id = newId()
          const { controller } = organisation
          const properties = { name }
          const group: UnsignedEntity = {
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
