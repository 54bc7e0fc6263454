import type { JsonValue, PropertyRule } from '@sibyl/protocol'
import type { DomainClass } from './entity-members.ts'

export const propertyTypes = ['string', 'number', 'boolean', 'object', 'array'] as const

export type PropertyType = (typeof propertyTypes)[number]

/** A version of a protocol, as entities are checked against it. */
export interface ProtocolDefinition {
  readonly did: string
  readonly version: number
  readonly properties: Readonly<Record<string, PropertyRule>>
  /**
   * Kinds of entities by name: a type such as `Organisation`, with or without the suffix `Entity`, a class, the DID of
   * a protocol (any version of it), or `any`. `OracleEntity` includes every entity of the class Oracle Twins.
   */
  readonly relationships: Readonly<Record<string, string>>
  /** The class of its entities, if it defines one. */
  readonly domainClass?: DomainClass
  /** The form of claims about its entities, and their rubric; used by the claims plugin. */
  readonly claim?: JsonValue
}
