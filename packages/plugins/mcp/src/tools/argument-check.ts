import { isObject, type JsonObject, type JsonValue } from '@sibyl/protocol'
import { z } from 'zod'

/** Maximum depth of a schema that is checked; the server checks deeper levels. */
const maxDepth = 12

const types: ReadonlySet<JsonValue> = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])
const bounds = ['minimum', 'maximum', 'minLength', 'minItems', 'maxItems'] as const

/**
 * Creates the check of a model's arguments from the tool's JSON Schema. It only checks types, required members, choices
 * and bounds, and never rejects what the schema allows. Patterns are not evaluated, because a hostile one could block
 * this process; the server validates the arguments itself.
 */
export const argumentCheck = (schema: JsonObject): z.ZodType<JsonObject> => {
  const object = z.record(z.string(), z.unknown())
  try {
    const reduced = reduce(schema, 0)
    return z.fromJSONSchema({ ...(reduced as object), type: 'object' }) as unknown as z.ZodType<JsonObject>
  } catch {
    return object as unknown as z.ZodType<JsonObject>
  }
}

/** Returns the part of a schema that is checked; `{}` accepts anything. */
const reduce = (schema: JsonValue | undefined, depth: number): JsonValue => {
  if (depth > maxDepth || !isObject(schema)) return {}
  const { type, enum: choices, nullable, properties, required, items, additionalProperties } = schema as JsonObject
  if (nullable === true) return {}
  if (Array.isArray(choices) && choices.length > 0) return choices.every(isPlain) ? { enum: choices } : {}
  if (Array.isArray(type)) {
    return type.length > 0 && type.every(one => types.has(one)) ? { type } : {}
  }
  if (typeof type !== 'string' || !types.has(type)) return {}
  const limits = bounds.flatMap(name => (typeof schema[name] === 'number' ? [[name, schema[name]] as const] : []))
  const reduced = { type, ...Object.fromEntries(limits) }
  if (type === 'array') return { ...reduced, items: reduce(items, depth + 1) }
  if (type !== 'object') return reduced
  const members = isObject(properties) ? Object.entries(properties) : []
  const isClosed = additionalProperties === false && !('patternProperties' in schema) && !('allOf' in schema)
  return {
    ...reduced,
    properties: Object.fromEntries(members.map(([name, member]) => [name, reduce(member, depth + 1)])),
    ...(Array.isArray(required) ? { required: required.filter(name => typeof name === 'string') } : {}),
    ...(isClosed ? { additionalProperties: false } : {}),
  }
}

const isPlain = (value: JsonValue): boolean => typeof value !== 'object' || value === null
