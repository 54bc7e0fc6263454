import { jsonPointer, sameDid, type Violation } from '@sibyl/protocol'
import { type ErrorCode, ViolationList } from '../errors/violation-list.ts'
import { type DomainClass, domainClasses } from '../records/entity-members.ts'
import { reservedRelationships } from '../records/entity-record.ts'
import { countsAsType, typeKey } from '../records/entity-types.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import type { StoredEntity } from '../records/stored-entity.ts'

/** Facts of a node that the rules of edges use. */
export type NodeFacts = Pick<StoredEntity, 'id' | 'did' | 'type' | 'domainClass' | 'status' | 'protocol'>

/** Rules for edges, without I/O: the protocol's relationships, and the generic chain. */
export interface RelationshipRules {
  /**
   * Returns every problem of new edges from one entity: unknown names; targets that are unknown, deactivated or of the
   * wrong kind; more than 1,000 edges. Paths look like `/relationships/verifier/0`. The generic relationships
   * `implements`, `generates`, `subDomainOf` and `partOf` need no protocol; a protocol that names them restricts their
   * kind.
   *
   * @param targets by the given DID or URI
   */
  check(
    from: Pick<NodeFacts, 'id' | 'type' | 'domainClass'>,
    definition: ProtocolDefinition | undefined,
    relationships: Readonly<Record<string, readonly string[]>>,
    targets: ReadonlyMap<string, NodeFacts>,
  ): readonly Violation[]
  /** Returns whether edges with this name must not form a cycle. */
  isAcyclic(relationship: string): boolean
}

/** Maximum number of edges that one request may add. */
const maxNewEdges = 1_000

/** Ends of a relationship of the generic chain. */
interface Ends {
  readonly from?: { readonly type: string }
  readonly to?: { readonly type: string } | { readonly domainClass: DomainClass }
}

/** Relationships that every entity may have, regardless of its protocol. */
const generic: Readonly<Record<string, Ends>> = {
  implements: { from: { type: 'Organisation' }, to: { type: 'Project' } },
  generates: { from: { type: 'Project' }, to: { domainClass: 'Physical Twins' } },
  subDomainOf: {},
  partOf: {},
}

const genericNames = Object.keys(generic)

type From = Pick<NodeFacts, 'id' | 'type' | 'domainClass'>

export const relationshipRules: RelationshipRules = {
  check(from, definition, relationships, targets) {
    const violations = new ViolationList()
    const count = Object.values(relationships).reduce((sum, given) => sum + given.length, 0)
    if (count > maxNewEdges) {
      violations.add('/relationships', 'too_many', `At most ${maxNewEdges} relationships may be added at once.`)
      return violations.all
    }
    for (const [name, given] of Object.entries(relationships)) {
      const path = jsonPointer('/relationships', name)
      const violation = violationOfName(name, from, definition)
      if (violation) violations.add(path, ...violation)
      else checkTargets(name, given, { path, from, definition, targets, faults: violations })
    }
    return violations.all
  },
  isAcyclic: relationship => genericNames.includes(relationship),
}

/** Returns the kind of entity that a protocol's relationship leads to; undefined if it does not have the name. */
export const kindIn = (definition: ProtocolDefinition | undefined, name: string): string | undefined =>
  definition && Object.hasOwn(definition.relationships, name) ? definition.relationships[name] : undefined

const endsOf = (name: string): Ends | undefined => (Object.hasOwn(generic, name) ? generic[name] : undefined)

const violationOfName = (
  name: string,
  from: From,
  definition: ProtocolDefinition | undefined,
): [code: ErrorCode, message: string] | undefined => {
  if (reservedRelationships.has(name)) {
    return [
      'reserved_relationship',
      'The oracle itself writes this relationship when a claim is submitted, verified or approved.',
    ]
  }
  const ends = endsOf(name)
  if (!ends && kindIn(definition, name) === undefined) {
    const own = definition ? Object.keys(definition.relationships).slice(0, 10) : []
    const names = [...own, ...genericNames.filter(one => !own.includes(one))].join(', ')
    return [
      'unknown_relationship',
      `${definition ? 'Is not in the protocol' : 'Needs a protocol'}. Available: ${names}.`,
    ]
  }
  if (ends?.from && !countsAsType(from.type, ends.from.type)) {
    return ['wrong_kind', `Must start at an entity of type ${ends.from.type}; this one is of type ${from.type}.`]
  }
  return undefined
}

interface TargetCheck {
  readonly path: string
  readonly from: From
  readonly definition: ProtocolDefinition | undefined
  readonly targets: ReadonlyMap<string, NodeFacts>
  readonly faults: ViolationList
}

const checkTargets = (
  name: string,
  given: readonly string[],
  { path, from, definition, targets, faults }: TargetCheck,
): void => {
  const kinds = [kindIn(definition, name), kindOfEnd(endsOf(name))].filter(kind => kind !== undefined)
  for (const [index, did] of given.entries()) {
    const place = jsonPointer(path, index)
    const target = targets.get(did)
    if (!target) faults.add(place, 'unknown_target', 'This oracle has no entity with that DID.')
    else if (target.status !== 'active') faults.add(place, 'target_deactivated', 'That entity is deactivated.')
    else if (target.id === from.id && genericNames.includes(name)) {
      faults.add(place, 'relationship_circle', `An entity cannot have ${name} to itself.`)
    } else {
      const missing = kinds.find(kind => !isOfKind(target, kind))
      if (missing) faults.add(place, 'wrong_kind', `Must be ${kindInWords(missing)}, but is of type ${target.type}.`)
    }
  }
}

const kindOfEnd = (ends: Ends | undefined): string | undefined =>
  ends?.to && ('type' in ends.to ? ends.to.type : ends.to.domainClass)

const kindInWords = (kind: string): string =>
  kind.startsWith('did:') ? 'an entity under the protocol that the relationship names' : `of the kind ${kind}`

/**
 * Returns whether an entity is of a kind that a protocol names: a type, a class, the DID of its protocol, or `any`. The
 * kind `OracleEntity` includes all Oracle Twins.
 */
export const isOfKind = (node: Pick<NodeFacts, 'type' | 'domainClass' | 'protocol'>, kind: string): boolean => {
  if (kind.startsWith('did:')) return node.protocol !== undefined && sameDid(node.protocol.did, kind)
  if (domainClasses.some(one => one === kind)) return node.domainClass === kind
  const key = typeKey(kind)
  if (key === 'any') return true
  return key === 'oracle' ? node.domainClass === 'Oracle Twins' : countsAsType(node.type, kind)
}
