import type { JsonValue } from '@sibyl/protocol'

type JsonObject = { [key: string]: JsonValue }

/** Copies a JSON value with each object in it replaced, innermost first. */
export const mapObjects = <Value>(value: Value, replace: (object: JsonObject) => JsonObject): Value =>
  mapValue(value as JsonValue, replace) as Value

const mapValue = (value: JsonValue, replace: (object: JsonObject) => JsonObject): JsonValue => {
  if (Array.isArray(value)) return value.map(one => mapValue(one, replace))
  if (typeof value !== 'object' || value === null) return value
  return replace(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapValue(one, replace)])))
}

/** The path of a named schema inside the document. */
export const schemaPath = (name: string): string => `#/components/schemas/${name}`

/** Returns the names of the referenced schemas; references to other documents are returned in full. */
export const referencesIn = (value: unknown): Set<string> => {
  const found = new Set<string>()
  const prefix = schemaPath('')
  mapObjects(value, object => {
    const { $ref } = object
    if (typeof $ref === 'string') found.add($ref.startsWith(prefix) ? $ref.slice(prefix.length) : $ref)
    return object
  })
  return found
}
