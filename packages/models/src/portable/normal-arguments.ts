import { isObject } from '@sibyl/protocol'

/**
 * Returns the arguments of a call in which `null` and a missing optional member are the same: a `null` that the schema of an
 * optional member rejects is left out, and a missing required member that may be `null` is `null`.
 *
 * @param schema JSON Schema without references
 */
export const normalArguments = (schema: unknown, value: unknown): unknown => {
  if (!isObject(schema)) return value
  if (Array.isArray(value)) return value.map(item => normalArguments(schema.items, item))
  if (!isObject(value)) return value
  const branch = onlyObject(schema)
  if (branch !== schema) return normalArguments(branch, value)
  const { properties, required } = schema
  if (!isObject(properties)) return value
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  const members = Object.entries(value).flatMap(([name, member]) => {
    const form = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (member === null && form !== undefined && !isRequired(name) && !takesNull(form)) return []
    return [[name, normalArguments(form, member)] as const]
  })
  const missing = Object.entries(properties).flatMap(([name, form]) =>
    isRequired(name) && !Object.hasOwn(value, name) && namesNull(form) ? [[name, null] as const] : [],
  )
  return Object.fromEntries([...members, ...missing])
}

const alternatives = (schema: Readonly<Record<string, unknown>>): readonly unknown[] => {
  const { anyOf, oneOf } = schema
  return [anyOf, oneOf].flatMap(list => (Array.isArray(list) ? list : []))
}

/** Returns the only alternative that describes an object, or the schema itself. */
const onlyObject = (schema: Record<string, unknown>): unknown => {
  if (isObject(schema.properties)) return schema
  const objects = alternatives(schema).filter(one => isObject(one) && isObject(one.properties))
  return objects.length === 1 ? objects[0] : schema
}

/** Whether a schema says that it accepts null. */
const namesNull = (schema: unknown): boolean => {
  if (!isObject(schema)) return false
  const { type, nullable, enum: values } = schema
  if (nullable === true || [type].flat().includes('null') || schema.const === null) return true
  return (Array.isArray(values) && values.includes(null)) || alternatives(schema).some(namesNull)
}

/** Whether a schema accepts null. */
const takesNull = (schema: unknown): boolean => {
  if (!isObject(schema)) return schema === true
  const isOpen = !['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'].some(keyword => Object.hasOwn(schema, keyword))
  return isOpen || namesNull(schema) || alternatives(schema).some(takesNull)
}
