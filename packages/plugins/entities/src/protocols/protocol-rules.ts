import {
  type claimChecks,
  didText,
  isObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  memberName,
  type propertyRules,
  type ServiceOf,
  type Violation,
} from '@sibyl/protocol'
import { ViolationList } from '../errors/violation-list.ts'
import { type DomainClass, domainClasses, entityType } from '../records/entity-members.ts'
import { reservedRelationships } from '../records/entity-record.ts'
import { domainClassOf } from '../records/entity-types.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import { checkJson, kindOfValue } from './check-json.ts'
import { checkProperties } from './check-properties.ts'
import { nameForm, parsePropertyRules } from './parse-property-rules.ts'

type ClaimCheck = Parameters<ServiceOf<typeof claimChecks>['use']>[0]

/** Rules of protocols, as pure functions without a database. */
export interface ProtocolRules {
  /** Parses a posted Protocol; returns all problems at once, at most 100. */
  parse(
    posted: PostedProtocol,
    as: { readonly did: string; readonly version: number },
  ): ProtocolDefinition | { readonly faults: readonly Violation[] }
  /**
   * Returns every problem of an entity's properties, at most 100, with paths such as `/properties/metricTwo`. A
   * property may be missing unless its rule has `required: true`; a property that the protocol does not define is a
   * problem.
   *
   * @param definition undefined for an entity without a protocol, whose properties may be any JSON that can be stored
   */
  check(definition: ProtocolDefinition | undefined, properties: Readonly<JsonObject>): readonly Violation[]
  /** Returns the class of an entity, from its type and its protocol. */
  domainClass(type: string, definition: ProtocolDefinition | undefined): DomainClass
}

export const protocolRules: ProtocolRules = {
  parse(posted, as) {
    const violations = new ViolationList()
    const definition = parseProtocol(posted, as, violations)
    return violations.all.length > 0 ? { faults: violations.all } : definition
  },
  check(definition, properties) {
    const violations = new ViolationList()
    if (definition) checkProperties(definition.properties, properties, '/properties', violations)
    else checkJson(properties, '/properties', violations)
    return violations.all
  },
  domainClass: domainClassOf,
}

const maxViolations = 100

/** Adds a check of the member `claim` to rules; without one, it may be any JSON. */
export const claimCheckedRules = (
  rules: ProtocolRules,
): { readonly rules: ProtocolRules; readonly checks: ServiceOf<typeof claimChecks> } => {
  let check: ClaimCheck = () => []
  return {
    checks: {
      use(given) {
        check = given
      },
    },
    rules: {
      ...rules,
      parse(posted, as) {
        const definition = rules.parse(posted, as)
        const violations = 'faults' in definition ? definition.faults : []
        const isJson = !violations.some(({ path }) => path.startsWith('/claim'))
        const found = posted.claim !== undefined && isJson ? check(posted.claim) : []
        return found.length > 0 ? { faults: [...violations, ...found].slice(0, maxViolations) } : definition
      },
    },
  }
}

export const sharedPropertyRules: ServiceOf<typeof propertyRules> = {
  parse(posted, path) {
    const violations = new ViolationList()
    const rules = parsePropertyRules(posted, path, { faults: violations, rules: 0 })
    return violations.all.length > 0 ? { faults: violations.all } : { rules }
  },
  check(rules, properties, path) {
    const violations = new ViolationList()
    if (rules) checkProperties(rules, properties, path, violations)
    else checkJson(properties, path, violations)
    return violations.all
  },
}

const maxRelationships = 200

interface PostedProtocol {
  readonly properties: unknown
  readonly relationships: unknown
  readonly claim?: JsonValue
  readonly domainClass?: DomainClass
}

/** Parses a posted Protocol. Invalid parts are missing in the definition, so use it only if there are no problems. */
const parseProtocol = (
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
