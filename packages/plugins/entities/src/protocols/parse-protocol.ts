import { didText, isObject, type JsonValue, jsonPointer, memberName } from '@sibyl/protocol'
import type { ViolationList } from '../errors/violation-list.ts'
import { type DomainClass, domainClasses, entityType } from '../records/entity-members.ts'
import { reservedRelationships } from '../records/entity-record.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import { checkJson, kindOfValue } from './check-json.ts'
import { nameForm, parsePropertyRules } from './parse-property-rules.ts'

const maxRelationships = 200

export interface PostedProtocol {
  readonly properties: unknown
  readonly relationships: unknown
  readonly claim?: JsonValue
  readonly domainClass?: DomainClass
}

/** Parses a posted Protocol. Invalid parts are missing in the definition, so use it only if there are no problems. */
export const parseProtocol = (
  posted: PostedProtocol,
  as: { readonly did: string; readonly version: number },
  violations: ViolationList,
): ProtocolDefinition => {
  const { properties = {}, relationships = {}, claim, domainClass } = posted
  if (claim !== undefined) checkJson(claim, '/claim', violations)
  return {
    did: as.did,
    version: as.version,
    properties: parsePropertyRules(properties, '/properties', { faults: violations, rules: 0 }),
    relationships: parseRelationships(relationships, violations),
    ...(domainClass === undefined ? {} : { domainClass }),
    ...(claim === undefined ? {} : { claim }),
  }
}

const parseRelationships = (posted: unknown, violations: ViolationList): Readonly<Record<string, string>> => {
  if (!isObject(posted)) {
    const message = `Must be an object of relationship names with kinds of entities, but is ${kindOfValue(posted)}.`
    violations.add('/relationships', 'wrong_type', message)
    return {}
  }
  const entries = Object.entries(posted)
  if (entries.length > maxRelationships) {
    violations.add('/relationships', 'too_many', `A protocol may have at most ${maxRelationships} relationships.`)
    return {}
  }
  const kinds: [string, string][] = []
  for (const [name, kind] of entries) {
    const path = jsonPointer('/relationships', name)
    if (!memberName.safeParse(name).success) {
      violations.add(
        '/relationships',
        'name_invalid',
        `The name ${JSON.stringify(name.slice(0, 64))} must ${nameForm}.`,
      )
    } else if (reservedRelationships.has(name)) {
      violations.add(
        path,
        'reserved_relationship',
        'The oracle itself writes this relationship, for claims. Choose another name.',
      )
    } else if (typeof kind !== 'string') {
      violations.add(path, 'wrong_type', `Must be one kind of entity as a string, but is ${kindOfValue(kind)}.`)
    } else if (!isKind(kind)) violations.add(path, 'unknown_kind', kindForm)
    else kinds.push([name, kind])
  }
  return Object.fromEntries(kinds)
}

const kindForm = `Must be a type such as Organisation, a class (${domainClasses.join(', ')}), the DID of a protocol, or any.`

const isKind = (kind: string): boolean =>
  entityType.safeParse(kind).success || domainClasses.some(one => one === kind) || didText.safeParse(kind).success
