import { jsonPointer, type Violation } from '@sibyl/protocol'
import { entitiesFailures, entityInvalid } from '../errors/entities-errors.ts'
import type { Edge, KnownEntities, StoredEntity } from '../records/stored-entity.ts'
import { limitViolations, violationOf } from '../state/entity-limits.ts'
import { protocolType } from '../state/posted-protocol.ts'
import {
  edgesTo,
  listedRelationships,
  type Relationships,
  resolveTargets,
  storedDids,
  targetIds,
} from '../state/relationship-targets.ts'
import { type ChangeRequest, changeableEntity, idsOf } from './changeable-entity.ts'
import { definitionOf } from './followed-protocol.ts'
import { assertMayAddGroup, groupRuleOf } from './membership-groups.ts'
import type { Answer, PreparedWrite, WriteTask, WritingDependencies } from './write-task.ts'

/** A request to add or remove edges of one name of an entity. */
export interface RelationRequest extends ChangeRequest {
  readonly kind: 'related' | 'unrelated'
  readonly relationship: string
  /** DIDs, or other URIs. */
  readonly targets: readonly string[]
}

/** Adds or removes edges. An existing edge is not added again, and a missing one is not removed. */
export const relationTask = (parts: WritingDependencies, request: RelationRequest): WriteTask => {
  const ids = idsOf(request.did)
  const relationships = listedRelationships({ [request.relationship]: request.targets })
  return {
    holds: ids,
    reads: [...ids, ...targetIds(relationships)],
    prepare: async known => {
      const entity = changeableEntity(parts, known, request)
      return prepareRelation(parts, entity, request, relationships, known)
    },
  }
}

const prepareRelation = async (
  parts: WritingDependencies,
  entity: StoredEntity,
  { kind, relationship, by }: RelationRequest,
  relationships: Relationships,
  known: KnownEntities,
): Promise<PreparedWrite | { readonly unchanged: Answer }> => {
  const isAdded = kind === 'related'
  const targets = resolveTargets(relationships, known)
  const definition = await definitionOf(parts, entity)
  const check = (checked: Relationships) =>
    parts.relationshipRules
      .check(entity, definition, checked, targets)
      .map(violation => inRequest(violation, relationship))
  const violations = isAdded
    ? [
        ...limitViolations({ relationships }),
        ...(entity.type === protocolType ? [protocolViolation] : []),
        ...check(relationships),
      ]
    : check({ [relationship]: [] }).filter(({ code }) => code === 'reserved_relationship')
  if (violations.length > 0) throw entityInvalid(violations)
  if (isAdded) assertMayAddGroup(parts.parties, entity.type, relationships, targets, by)
  const edges = edgesTo(entity.id, relationships, targets)
  const there = await storedTargets(parts, edges)
  const changed = edges.filter(({ to }) => there.has(to) !== isAdded)
  if (changed.length === 0) return { unchanged: { entity } }
  const dids = relationships[relationship]!.filter(given => there.has(targets.get(given)?.id ?? given) !== isAdded)
  const change = { relationships: storedDids({ [relationship]: dids }, targets) }
  const [addedEdges, removedEdges] = isAdded ? [changed, []] : [[], changed]
  const signed = await parts.signer.sign(
    { before: entity, after: entity, kind, by, change, addedEdges, removedEdges },
    parts.now(),
  )
  return {
    changes: [signed],
    definitions: [],
    ...groupRuleOf(entity.type, addedEdges, removedEdges),
    answer: { entity: signed.after },
  }
}

const protocolViolation = violationOf(
  '/relationship',
  'not_allowed_here',
  'The relationships of a Protocol are part of its definition. Change them with PATCH.',
)

/** Returns an error of a round with the paths of a relate request; any other error unchanged. */
export const asRelationRefusal = (error: unknown, relationship: string): unknown =>
  entitiesFailures.entity_invalid.is(error)
    ? entityInvalid((error.issues as readonly Violation[]).map(violation => inRequest(violation, relationship)))
    : error

/** Returns a problem with its path in the body of this request. */
const inRequest = (violation: Violation, relationship: string): Violation => {
  const place = jsonPointer('/relationships', relationship)
  if (!violation.path.startsWith(place)) return violation
  const rest = violation.path.slice(place.length)
  return { ...violation, path: rest === '' ? '/relationship' : `/targets${rest}` }
}

/** Returns the stored targets among edges of one entity and one name. */
const storedTargets = async (
  { storage }: WritingDependencies,
  edges: readonly Edge[],
): Promise<ReadonlySet<string>> => {
  const [first] = edges
  if (first === undefined) return new Set()
  const rows = await storage.read
    .selectFrom('entities_edges')
    .select('to_node')
    .where(eb => eb.and({ from_node: first.from, relationship: first.relationship }))
    .where(
      'to_node',
      'in',
      edges.map(({ to }) => to),
    )
    .execute()
  return new Set(rows.map(({ to_node }) => to_node))
}
