import type { ClaimCheck, ClaimChecks, DomainClass, Fault, Properties, PropertyRules } from '@sibyl/protocol'
import { FaultList } from '../errors/fault-list.ts'
import { domainClassOf } from '../records/entity-types.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import { checkJson } from './check-json.ts'
import { checkProperties } from './check-properties.ts'
import { parsePropertyRules } from './parse-property-rules.ts'
import { type PostedProtocol, parseProtocol } from './parse-protocol.ts'

/** Rules of protocols that need no database; pure functions. */
export interface ProtocolRules {
  /** Reads a posted Protocol; every fault of it at once, at most 100. */
  parse(
    posted: PostedProtocol,
    as: { readonly did: string; readonly version: number },
  ): ProtocolDefinition | { readonly faults: readonly Fault[] }
  /**
   * Every fault of an entity's properties, at most 100, with paths such as `/properties/metricTwo`; none when they fit. A
   * property may be missing unless its rule says `required: true`, and none may be there that the protocol does not have.
   *
   * @param definition undefined for an entity without a protocol: its properties may be any JSON that can be kept
   */
  check(definition: ProtocolDefinition | undefined, properties: Properties): readonly Fault[]
  /** The class of an entity, from its type and the DID of its protocol. */
  domainClass(type: string, definition: ProtocolDefinition | undefined): DomainClass
}

export const protocolRules: ProtocolRules = {
  parse(posted, as) {
    const faults = new FaultList()
    const definition = parseProtocol(posted, as, faults)
    return faults.all.length > 0 ? { faults: faults.all } : definition
  },
  check(definition, properties) {
    const faults = new FaultList()
    if (definition) checkProperties(definition.properties, properties, '/properties', faults)
    else checkJson(properties, '/properties', faults)
    return faults.all
  },
  domainClass: domainClassOf,
}

const mostFaults = 100

/** Adds to rules a check of the member `claim`; until one is given, it may be any JSON. */
export const claimCheckedRules = (
  rules: ProtocolRules,
): { readonly rules: ProtocolRules; readonly checks: ClaimChecks } => {
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
        const faults = 'faults' in definition ? definition.faults : []
        const isJson = !faults.some(({ path }) => path.startsWith('/claim'))
        const found = posted.claim !== undefined && isJson ? check(posted.claim) : []
        return found.length > 0 ? { faults: [...faults, ...found].slice(0, mostFaults) } : definition
      },
    },
  }
}

export const sharedPropertyRules: PropertyRules = {
  parse(posted, path) {
    const faults = new FaultList()
    const rules = parsePropertyRules(posted, path, { faults, rules: 0 })
    return faults.all.length > 0 ? { faults: faults.all } : { rules }
  },
  check(rules, properties, path) {
    const faults = new FaultList()
    if (rules) checkProperties(rules, properties, path, faults)
    else checkJson(properties, path, faults)
    return faults.all
  },
}
