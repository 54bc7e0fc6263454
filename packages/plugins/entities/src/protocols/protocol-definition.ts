import type { DomainClass, JsonValue } from '@sibyl/protocol'

/** The type names of a protocol's properties. */
export const propertyTypes = ['string', 'number', 'boolean', 'object', 'array'] as const

/** One of `propertyTypes`. */
export type PropertyType = (typeof propertyTypes)[number]

/** What a property must be. Posted as a type name alone, or as an object with `type` and these. */
export interface PropertyRule {
  readonly type: PropertyType
  /** Whether an entity has to have it. @default false: a type name alone asks for nothing */
  readonly required?: boolean
  readonly enum?: readonly (string | number | boolean)[]
  /** Of numbers. */
  readonly minimum?: number
  readonly maximum?: number
  /** Of strings, in characters; of arrays, in items. */
  readonly minLength?: number
  readonly maxLength?: number
  /** Of arrays: what each item must be. */
  readonly items?: PropertyRule
  /** Of objects: what their members must be; without it any members. */
  readonly properties?: Readonly<Record<string, PropertyRule>>
  readonly description?: string
}

/** A version of a protocol, as entities are checked against it. */
export interface ProtocolDefinition {
  readonly did: string
  readonly version: number
  readonly properties: Readonly<Record<string, PropertyRule>>
  /**
   * Name to the kind of entity: a type such as `Organisation`, with or without the suffix `Entity`, a class, the DID of a
   * protocol (any version of it), or `any`. `OracleEntity` takes every entity of the class Oracle Twins.
   */
  readonly relationships: Readonly<Record<string, string>>
  /** The class of its entities, where it says one. */
  readonly domainClass?: DomainClass
  /** The form of claims about its entities, and their rubric; read by the claims plugin. */
  readonly claim?: JsonValue
}
