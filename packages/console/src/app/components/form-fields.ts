import type { JsonObject, JsonValue } from '@sibyl/protocol'
import { isObject } from '../api/is-object.ts'

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

export interface FormField {
  readonly name: string
  readonly label: string
  readonly description: string | undefined
  readonly kind: 'text' | 'email' | 'url' | 'date' | 'time' | 'number' | 'boolean' | 'choice' | 'group' | 'json'
  /** With `choice`. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
  /** With `group`. */
  readonly fields: readonly FormField[]
  readonly isRequired: boolean
  readonly initial: JsonValue | undefined
  /** Shown behind a number. */
  readonly unit: string | undefined
  readonly minimum: number | undefined
  readonly maximum: number | undefined
}

/** The most fields of a group, and the most groups in each other; what is deeper is JSON. */
const maxFields = 100
const maxDepth = 4

const formats: Readonly<Record<string, FormField['kind']>> = { email: 'email', uri: 'url', date: 'date', time: 'time' }

/** Returns the fields of a JSON Schema of an object. What has no input of its own, such as a list or `oneOf`, is JSON. */
export const fieldsOf = (schema: Schema | undefined, depth = 0): FormField[] => {
  const members = isObject(schema?.properties) ? schema.properties : {}
  const required = Array.isArray(schema?.required) ? schema.required : []
  return Object.entries(members)
    .slice(0, maxFields)
    .map(([name, given]): FormField => {
      const member: Schema = isObject(given) ? given : {}
      const texts = Array.isArray(member.enum) ? member.enum.filter(value => typeof value === 'string') : []
      const options = [...new Set(texts)]
      const titles = isObject(member.titles) ? member.titles : {}
      const kind = kindOf(member, options, depth)
      return {
        name,
        label: textOf(member.title) ?? name,
        description: textOf(member.description),
        kind,
        options: options.map(value => ({ value, label: textOf(titles[value]) ?? value })),
        fields: kind === 'group' ? fieldsOf(member, depth + 1) : [],
        isRequired: required.includes(name),
        initial:
          member.default === undefined ? (kind === 'boolean' ? false : undefined) : (member.default as JsonValue),
        unit: textOf(member.unit),
        minimum: numberOf(member.minimum),
        maximum: numberOf(member.maximum),
      }
    })
}

/** Returns the values that fields begin with. */
export const initialOf = (fields: readonly FormField[]): JsonObject =>
  Object.fromEntries(
    fields.flatMap(({ name, initial, kind, fields: inner }): [string, JsonValue][] => {
      const value = kind === 'group' && initial === undefined ? initialOf(inner) : initial
      return value === undefined || isEmpty(value) ? [] : [[name, value]]
    }),
  )

/** Returns whether every required field has a value. */
export const isComplete = (fields: readonly FormField[], values: JsonObject): boolean =>
  fields.every(({ name, isRequired, kind, fields: inner }) => {
    const value = values[name]
    if (kind === 'group' && isObject(value)) return isComplete(inner, value as JsonObject)
    return !isRequired || !isEmpty(value)
  })

/** Returns values without those that are empty. */
export const withoutEmpty = (values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, isObject(value) ? withoutEmpty(value as JsonObject) : value] as const)
      .filter(([, value]) => !isEmpty(value)),
  )

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === '' || (isObject(value) && Object.keys(value).length === 0)

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const kindOf = (member: Schema, options: readonly string[], depth: number): FormField['kind'] => {
  if (options.length > 0) return 'choice'
  if (member.type === 'boolean') return 'boolean'
  if (member.type === 'number' || member.type === 'integer') return 'number'
  if (member.type === 'object' && isObject(member.properties) && depth < maxDepth) return 'group'
  if (member.type === 'string' || member.type === undefined) return formats[String(member.format)] ?? 'text'
  return 'json'
}
