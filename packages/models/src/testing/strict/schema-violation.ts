import { isObject } from '@sibyl/protocol'

const notAtTop = ['oneOf', 'anyOf', 'allOf', 'enum', 'not', '$ref']

const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])

const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems']
const lists = ['anyOf', 'oneOf', 'allOf']

/** APIs limit the depth of a schema. */
const maxDepth = 16

/** Returns why one of the strictest model APIs rejects a schema of arguments; undefined where all of them take it. */
export const schemaViolation = (schema: unknown): string | undefined => {
  if (!isObject(schema) || schema.type !== 'object' || notAtTop.some(keyword => keyword in schema)) {
    return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
  }
  if (!isObject(schema.properties)) return 'In context=(), object schema missing properties.'
  return violationIn(schema, [])
}

const draft = 'JSON schema is invalid. It must match JSON Schema draft 2020-12'

const violationIn = (schema: unknown, path: readonly string[]): string | undefined => {
  const context = `In context=(${path.join(', ')})`
  if (!isObject(schema)) return `${context}, ${JSON.stringify(schema)} is not of type 'object'. ${draft}.`
  if (path.length > maxDepth * 2) return `${context}, the schema exceeds the maximum depth.`
  if ('$ref' in schema || '$defs' in schema) return `${context}, reference to undefined or recursive schema.`
  return keywordViolation(schema, context) ?? childViolation(schema, path)
}

const keywordViolation = (schema: Readonly<Record<string, unknown>>, context: string): string | undefined => {
  const { type, items, properties, required } = schema
  const given = type === undefined ? [] : [type].flat()
  if (given.some(one => !types.has(one))) return `${context}, ${JSON.stringify(type)} is not a valid type. ${draft}.`
  if (given.includes('array') && items === undefined) return `${context}, array schema missing items.`
  if (properties !== undefined && !isObject(properties))
    return `${context}, properties is not of type 'object'. ${draft}.`
  for (const name of Object.keys(properties ?? {})) {
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) {
      return `${context}, Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$' (${name})`
    }
  }
  if (required !== undefined) {
    if (!Array.isArray(required)) return `${context}, required is not of type 'array'. ${draft}.`
    const unknown = required.find(name => isObject(properties) && !Object.hasOwn(properties, String(name)))
    if (unknown !== undefined) return `${context}, required: property is not defined: ${unknown}`
  }
  for (const keyword of [...numbers, ...counts]) {
    if (keyword in schema && typeof schema[keyword] !== 'number')
      return `${context}, ${keyword} is not a number. ${draft}.`
  }
  for (const keyword of ['description', 'title', 'pattern', 'format']) {
    if (keyword in schema && typeof schema[keyword] !== 'string')
      return `${context}, ${keyword} is not a string. ${draft}.`
  }
  const listed = [...lists, 'enum'].find(
    name => name in schema && !(Array.isArray(schema[name]) && schema[name].length > 0),
  )
  return listed === undefined ? undefined : `${context}, ${listed} should be a non-empty array. ${draft}.`
}

const childViolation = (schema: Readonly<Record<string, unknown>>, path: readonly string[]): string | undefined => {
  const { items, properties, additionalProperties } = schema
  const children: (readonly [string, unknown])[] = [
    ...Object.entries(properties ?? {}).map(([name, child]) => [`properties, ${name}`, child] as const),
    ...(items === undefined ? [] : [['items', items] as const]),
    ...(isObject(additionalProperties) ? [['additionalProperties', additionalProperties] as const] : []),
    ...lists.flatMap(name => (Array.isArray(schema[name]) ? schema[name].map(child => [name, child] as const) : [])),
  ]
  for (const [name, child] of children) {
    const violation = violationIn(child, [...path, name])
    if (violation !== undefined) return violation
  }
  return undefined
}
