import type { claimChecks, JsonObject, propertyRules, ServiceOf, Violation } from '@sibyl/protocol'
import { ViolationList } from '../errors/violation-list.ts'
import type { DomainClass } from '../records/entity-members.ts'
import { domainClassOf } from '../records/entity-types.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import { checkJson } from './check-json.ts'
import { checkProperties } from './check-properties.ts'
import { parsePropertyRules } from './parse-property-rules.ts'
import { type PostedProtocol, parseProtocol } from './parse-protocol.ts'

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
