import type { DomainClass, Fault, JsonValue, Properties } from '@sibyl/protocol'
import { checkJson } from './check-json.ts'
import { checkProperties } from './check-properties.ts'
import { domainClassOf } from './domain-class-of.ts'
import { FaultList } from './fault-list.ts'
import { parseProtocol } from './parse-protocol.ts'
import type { ProtocolDefinition } from './protocol-definition.ts'

/** What can be said of protocols without the database. All pure. */
export interface ProtocolRules {
  /** Reads a posted Protocol; every fault of it at once, at most 100. */
  parse(
    posted: {
      readonly properties: unknown
      readonly relationships: unknown
      readonly claim?: JsonValue
      readonly domainClass?: DomainClass
    },
    as: { readonly did: string; readonly version: number },
  ): ProtocolDefinition | { readonly faults: readonly Fault[] }
  /**
   * Every fault of an entity's properties, at most 100, with paths such as `/properties/metricTwo`; none when they fit. A
   * property may be missing unless its rule says `required: true`, and none may be there that the protocol does not have.
   *
   * @param definition undefined for an entity without a protocol: its properties may be any JSON that can be kept
   */
  check(definition: ProtocolDefinition | undefined, properties: Properties): readonly Fault[]
  /** The class of an entity, from its type and the protocol that it follows. */
  domainClass(type: string, definition: ProtocolDefinition | undefined): DomainClass
}

/** The rules of protocols. */
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
