import type { DomainClass, Fault, JsonValue, Properties } from '@sibyl/protocol'
import type { ProtocolDefinition } from './protocol-definition.ts'

/** What can be said of protocols without the database. All pure. */
export interface ProtocolRules {
  /** Reads a posted Protocol; every fault of it at once. */
  parse(
    posted: {
      readonly properties: unknown
      readonly relationships: unknown
      readonly claim?: JsonValue
      readonly domainClass?: DomainClass
    },
    as: { readonly did: string; readonly version: number },
  ): ProtocolDefinition | { readonly faults: readonly Fault[] }
  /** Every fault of an entity's properties, with paths such as `/properties/metricTwo`; none when they fit. */
  check(definition: ProtocolDefinition, properties: Properties): readonly Fault[]
  /** The class of an entity, from its type and the protocol that it follows. */
  domainClass(type: string, definition: ProtocolDefinition | undefined): DomainClass
}
