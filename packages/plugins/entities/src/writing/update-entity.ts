import { type JsonValue, jsonPointer, type Violation } from '@sibyl/protocol'
import { entityInvalid } from '../errors/entities-errors.ts'
import { kindIn } from '../graph/relationship-rules.ts'
import type { EntityPatch } from '../records/entity-contract.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import type { Edge, KnownEntities, StoredEntity, UnsignedEntity } from '../records/stored-entity.ts'
import { entitySizeViolations, maxTargets } from '../state/entity-limits.ts'
import { isSameEntity, patchedEntity, patchedRelationships, patchViolations } from '../state/patched-entity.ts'
import { edgesTo, type Relationships, resolveTargets, storedDids, targetsIn } from '../state/relationship-targets.ts'
import { findEntities } from '../storage/entity-rows.ts'
import { assertMayMove, definitionOf } from './followed-protocol.ts'
import { assertMayAddGroup, groupRuleOf } from './membership-groups.ts'
import type { Answer, PreparedWrite, WritingDependencies } from './write-task.ts'

/** Changes an entity that is not a Protocol. */
export const updateEntity = async (
  parts: WritingDependencies,
  entity: StoredEntity,
  patch: EntityPatch,
  by: string,
  known: KnownEntities,
): Promise<PreparedWrite | { readonly unchanged: Answer }> => {
  const relationships = patchedRelationships(patch)
  const targets = resolveTargets(relationships, known)
  await assertMayMove(parts, entity, patch, by)
  const definition = await definitionOf(parts, entity, patch.protocolVersion)
  const after = moved(parts, patchedEntity(entity, patch), definition)
  const stored = await storedEdges(parts, entity, patch, relationships)
  const violations = [
    ...patchViolations(entity, patch, after, relationships),
    ...parts.rules.check(definition, after.properties),
    ...parts.relationshipRules.check(after, definition, relationships, targets),
    ...(patch.protocolVersion === undefined
      ? []
      : await keptEdgeViolations(parts, entity, after, definition, without(stored, relationships))),
    ...tooManyViolations(stored, relationships),
    ...entitySizeViolations(after),
  ]
  if (violations.length > 0) throw entityInvalid(violations)
  assertMayAddGroup(parts.parties, entity.type, relationships, targets, by)
  const addedEdges = edgesTo(entity.id, relationships, targets).filter(edge => !isIn(stored, edge))
  const removedEdges = removedFrom(entity.id, stored, relationships, targets)
  if (addedEdges.length === 0 && removedEdges.length === 0 && isSameEntity(entity, after)) {
    return { unchanged: { entity } }
  }
  const change = {
    ...patch,
    ...(patch.relationships ? { relationships: storedDids(relationships, targets) } : {}),
  } as JsonValue
  const signed = await parts.signer.sign(
    { before: entity, after, kind: 'updated', by, change, addedEdges, removedEdges },
    parts.now(),
  )
  return {
    changes: [signed],
    definitions: [],
    ...groupRuleOf(entity.type, addedEdges, removedEdges),
    answer: { entity: signed.after },
  }
}

const moved = (
  { rules }: WritingDependencies,
  entity: UnsignedEntity,
  definition: ProtocolDefinition | undefined,
): UnsignedEntity =>
  definition
    ? {
        ...entity,
        protocol: { did: definition.did, version: definition.version },
        domainClass: rules.domainClass(entity.type, definition),
      }
    : entity

/** Returns the stored edges by name; reads nothing if the patch does not affect them. */
const storedEdges = async (
  { edges }: WritingDependencies,
  { id }: StoredEntity,
  { protocolVersion }: EntityPatch,
  relationships: Relationships,
): Promise<Relationships> => {
  if (protocolVersion === undefined && Object.keys(relationships).length === 0) return {}
  return (await edges.outgoing([id], maxTargets + 1)).get(id) ?? {}
}

const tooManyViolations = (stored: Relationships, relationships: Relationships): readonly Violation[] =>
  Object.keys(relationships)
    .filter(name => targetsIn(stored, name).length > maxTargets)
    .map(tooManyViolation)

const tooManyViolation = (name: string): Violation => ({
  path: jsonPointer('/relationships', name),
  code: 'too_many',
  message: `There are more than ${maxTargets}, which a patch cannot replace. Add or remove them one by one.`,
})

/**
 * Returns the problems, under another version of the protocol, of edges that a patch does not change: those whose names
 * have another rule in this version. Their targets may be deactivated.
 */
const keptEdgeViolations = async (
  parts: WritingDependencies,
  before: StoredEntity,
  after: UnsignedEntity,
  definition: ProtocolDefinition | undefined,
  kept: Relationships,
): Promise<readonly Violation[]> => {
  const old = await definitionOf(parts, before)
  const violations: Violation[] = []
  for (const [name, nodes] of Object.entries(kept)) {
    if (kindIn(old, name) === kindIn(definition, name)) continue
    if (nodes.length > maxTargets) violations.push(tooManyViolation(name))
    else {
      const targets = await findEntities(parts.storage.read, nodes)
      const found = parts.relationshipRules.check(after, definition, { [name]: nodes }, targets)
      violations.push(...found.filter(({ code }) => code !== 'target_deactivated'))
    }
  }
  return violations
}

const without = (stored: Relationships, replaced: Relationships): Relationships =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => !Object.hasOwn(replaced, name)))

const isIn = (stored: Relationships, { relationship, to }: Edge): boolean =>
  targetsIn(stored, relationship).includes(to)

const removedFrom = (
  from: string,
  stored: Relationships,
  relationships: Relationships,
  targets: ReadonlyMap<string, { readonly id: string }>,
): readonly Edge[] =>
  Object.entries(relationships).flatMap(([relationship, given]) => {
    const kept = new Set(given.map(target => targets.get(target)?.id))
    return targetsIn(stored, relationship)
      .filter(to => !kept.has(to))
      .map(to => ({ from, relationship, to }))
  })
