import * as z from 'zod'
import type { JsonObject, JsonValue } from './json-value.ts'
import { type ServiceToken, serviceToken } from './service-token.ts'

/** A name of a property or relationship: a letter, then letters, digits, `_`, `-`, at most 64. */
export const memberName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][\w-]*$/, 'must begin with a letter, and have letters, digits, _ and - alone')

/** Something wrong in a body: where (RFC 6901 JSON Pointer), and what, without the value. */
export interface Violation {
  readonly path: string
  /** `wrong_type`, `unknown_property`, `missing_property`, `unknown_relationship`, `wrong_kind`, … */
  readonly code: string
  readonly message: string
}

/** The rule of a property. Posted as a type name, or as an object with `type` and these members. */
export interface PropertyRule {
  readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array'
  /** @default false: a type name alone asks for nothing */
  readonly required?: boolean
  readonly enum?: readonly (string | number | boolean)[]
  /** Of numbers. */
  readonly minimum?: number
  readonly maximum?: number
  /** Of numbers: `kg`, `kWh`; for people and forms. */
  readonly unit?: string
  /** Of strings, in characters; of arrays, in items. */
  readonly minLength?: number
  readonly maxLength?: number
  /** Of arrays: what each item must be. */
  readonly items?: PropertyRule
  /** Of objects: what their members must be; without it any members. */
  readonly properties?: Readonly<Record<string, PropertyRule>>
  readonly description?: string
}

/** Property names with their rules. */
export type PropertyRuleMap = Readonly<Record<string, PropertyRule>>

/** The language of rules in protocols, for plugins whose own data follows such rules. Pure. */
export interface PropertyRules {
  /**
   * Parses posted rules; returns all errors at once.
   *
   * @param path their place, a JSON Pointer: `/claim/properties`
   */
  parse(
    posted: JsonValue,
    path: string,
  ): { readonly rules: PropertyRuleMap } | { readonly faults: readonly Violation[] }
  /**
   * Returns every error of properties; empty if they are valid. Without rules it checks only whether a database can
   * store them.
   *
   * @param path their place: `/data`
   */
  check(rules: PropertyRuleMap | undefined, properties: Readonly<JsonObject>, path: string): readonly Violation[]
}

/** The rules as the plugin that keeps protocols reads and checks them. */
export const propertyRules: ServiceToken<PropertyRules> = serviceToken('property-rules')
