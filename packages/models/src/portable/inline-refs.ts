import { isObject } from '@sibyl/protocol'

/** More members of a schema than this are not written out: references can multiply without end. */
const maxMembers = 20_000

const maxDepth = 64

/** A schema that lists all types accepts any JSON. */
const anyJson = ['string', 'number', 'boolean', 'null', 'array', 'object']

/**
 * Returns a JSON Schema whose references are replaced by what they name. A reference that leads to itself, out of the schema or
 * nowhere accepts anything, as do levels beyond the limit. A schema of any JSON becomes `{}`.
 */
export const inlineRefs = (schema: unknown): unknown => {
  let members = 0
  const inline = (value: unknown, open: readonly string[], depth: number): unknown => {
    if (Array.isArray(value)) return value.map(one => inline(one, open, depth + 1))
    if (!isObject(value)) return value
    members += 1
    if (members > maxMembers || depth > maxDepth) return {}
    const { $ref, ...rest } = value
    const own = typeof $ref === 'string' ? rest : value
    const inlined = Object.fromEntries(Object.entries(own).map(([key, one]) => [key, inline(one, open, depth + 1)]))
    if (typeof $ref !== 'string') return withoutAnyJson(inlined)
    const target = open.includes($ref) ? undefined : inline(targetOf(schema, $ref), [...open, $ref], depth + 1)
    return withoutAnyJson(isObject(target) ? { ...target, ...inlined } : inlined)
  }
  if (!isObject(schema)) return schema
  const { $defs: _, definitions: __, ...root } = schema
  return inline(root, [], 0)
}

const withoutAnyJson = (schema: Record<string, unknown>): Record<string, unknown> => {
  const kept = Object.entries(schema).filter(([keyword, value]) => {
    if (!Array.isArray(value) || (keyword !== 'type' && keyword !== 'anyOf')) return true
    const types = new Set(
      keyword === 'type' ? value : value.map(branch => (isObject(branch) ? branch.type : undefined)),
    )
    return !anyJson.every(type => types.has(type))
  })
  return Object.fromEntries(kept)
}

/** Returns what a reference inside the schema names: `#/$defs/place`. */
const targetOf = (schema: unknown, ref: string): unknown => {
  if (ref === '#') return schema
  if (!ref.startsWith('#/')) return undefined
  return ref
    .slice(2)
    .split('/')
    .map(decodeToken)
    .reduce<unknown>((value, key) => {
      if (Array.isArray(value)) return value[Number(key)]
      return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    }, schema)
}

const decodeToken = (token: string): string => {
  try {
    return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return token
  }
}
