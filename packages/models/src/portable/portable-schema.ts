import { isObject } from '@sibyl/protocol'
import { inlineRefs } from './inline-refs.ts'
import { normalArguments } from './normal-arguments.ts'

type Schema = Readonly<Record<string, unknown>>

/** A schema of arguments as every model API takes it, or the reason why it cannot be. */
export type PortableSchema =
  | {
      readonly schema: Schema
      /** Returns arguments by the names of the given schema, where null and a missing optional member are the same. */
      readonly read: (input: unknown) => unknown
      /** Whether members have other names than in the given schema. */
      readonly isRenamed: boolean
    }
  | { readonly refusal: string }

/** Deeper levels accept anything: APIs limit the depth. */
const maxDepth = 10

/** Longest schema of a tool, in characters of JSON. */
const maxLength = 100_000

const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])
const otherTypes: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
}

const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const counts = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
]
const texts = ['$schema', 'title', 'description', 'format', 'pattern', 'contentEncoding', 'contentMediaType']
const flags = ['uniqueItems', 'deprecated', 'readOnly', 'writeOnly', 'nullable']
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const single = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'unevaluatedProperties']

/** Keywords that no API needs, or that some reject. */
const left: ReadonlySet<string> = new Set([
  ...['$id', 'id', '$anchor', '$comment', '$defs', 'definitions', '$vocabulary', '$dynamicRef', '$dynamicAnchor'],
  ...[
    'additionalItems',
    'unevaluatedItems',
    'dependencies',
    'dependentSchemas',
    'dependentRequired',
    'if',
    'then',
    'else',
    '__proto__',
  ],
])

/**
 * Returns the schema of a tool's arguments as OpenAI, Anthropic and Gemini take it: an object without alternatives at its top and
 * without references, with keywords of the current draft and with names of members that fit. The tool itself still validates by
 * its own schema.
 */
export const portableSchema = (given: unknown): PortableSchema => {
  const inlined = inlineRefs(given)
  if (!isObject(inlined)) return { refusal: 'its input schema is not an object' }
  const names = new MemberNames(inlined)
  const top = flattened(repaired(inlined, names, 0))
  if (top === undefined) return { refusal: 'its input is not an object' }
  const { enum: _, const: __, not: ___, ...rest } = top
  const properties = isObject(top.properties) ? top.properties : {}
  const required = requiredOf(top).filter(name => Object.hasOwn(properties, name))
  const schema = { ...rest, type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
  const { length } = JSON.stringify(schema)
  if (length > maxLength) return { refusal: `its input schema has ${length} characters, at most ${maxLength}` }
  const read = (input: unknown) => normalArguments(inlined, names.restore(input))
  return { schema, read, isRenamed: names.isRenamed }
}

/** Returns the top of a schema with its alternatives as one object; undefined where it describes something else. */
const flattened = ({ allOf, anyOf, oneOf, ...own }: Schema): Schema | undefined => {
  if (own.type !== undefined && ![own.type].flat().includes('object')) return undefined
  const all = branchesOf(allOf)
  const some = [...branchesOf(anyOf), ...branchesOf(oneOf)].filter(({ type }) => type !== 'null')
  const objects = some.map(flattened).filter(branch => branch !== undefined)
  if (some.length > 0 && objects.length === 0) return undefined
  const together = all.map(flattened)
  if (together.includes(undefined)) return undefined
  const parts = [own, ...together.filter(branch => branch !== undefined)]
  const required = new Set(parts.flatMap(requiredOf))
  for (const name of requiredOf(objects[0] ?? {})) {
    if (objects.every(branch => requiredOf(branch).includes(name))) required.add(name)
  }
  const properties: Record<string, unknown> = {}
  for (const branch of [...parts, ...objects]) {
    for (const [name, member] of Object.entries(isObject(branch.properties) ? branch.properties : {})) {
      properties[name] = Object.hasOwn(properties, name) ? either(properties[name], member) : member
    }
  }
  if (all.length + objects.length === 0) return own
  const { additionalProperties: _, ...rest } = own
  return { ...rest, properties, ...(required.size > 0 ? { required: [...required] } : {}) }
}

const branchesOf = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isObject) : [])

const requiredOf = ({ required }: Schema): string[] => (Array.isArray(required) ? (required as string[]) : [])

/** Returns what accepts the values of both schemas. */
const either = (one: unknown, other: unknown): unknown => {
  if (JSON.stringify(one) === JSON.stringify(other)) return one
  const known = isObject(one) && Object.keys(one).length === 1 && Array.isArray(one.anyOf) ? one.anyOf : [one]
  return { anyOf: [...known, other] }
}

const repaired = (schema: unknown, names: MemberNames, depth: number): Schema => {
  if (!isObject(schema) || depth > maxDepth) return {}
  const result: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    const kept = left.has(keyword) || (value === null && keyword !== 'default' && keyword !== 'const')
    if (!kept) Object.assign(result, keywordOf(keyword, value, names, depth))
  }
  for (const side of ['Minimum', 'Maximum']) {
    const bound = side.toLowerCase()
    if (schema[`exclusive${side}`] !== true || typeof result[bound] !== 'number') continue
    result[`exclusive${side}`] = result[bound]
    delete result[bound]
  }
  if (result.type === 'array' || [result.type].flat().includes('array')) result.items ??= itemsOf(schema, names, depth)
  if (result.type === undefined && isObject(result.properties)) result.type = 'object'
  const required = requiredNames(schema, names, result.properties)
  if (required.length > 0) result.required = required
  return result
}

/** Returns a keyword as it is sent; nothing where its value is invalid. */
const keywordOf = (keyword: string, value: unknown, names: MemberNames, depth: number): Schema => {
  const kept = (isValid: boolean): Schema => (isValid ? { [keyword]: value } : {})
  const next = (one: unknown) => repaired(one, names, depth + 1)
  if (keyword === 'type') return typeOf(value)
  if (keyword === 'required') return {}
  if (keyword === 'enum') return kept(Array.isArray(value) && value.length > 0)
  if (keyword === 'examples') return kept(Array.isArray(value))
  if (texts.includes(keyword)) return kept(typeof value === 'string')
  if (flags.includes(keyword)) return kept(typeof value === 'boolean')
  if (numbers.includes(keyword) || counts.includes(keyword)) return numberOf(keyword, value)
  if (keyword === 'properties' || keyword === 'patternProperties') {
    const members = Object.entries(isObject(value) ? value : {}).filter(([, member]) => member !== false)
    const named = members.map(([name, member]) => [keyword === 'properties' ? names.fit(name) : name, next(member)])
    return { [keyword]: Object.fromEntries(named) }
  }
  if (lists.includes(keyword)) {
    const branches = Array.isArray(value) ? value.filter(one => one !== false) : []
    return branches.length > 0 && keyword !== 'prefixItems' ? { [keyword]: branches.map(next) } : {}
  }
  if (keyword === 'items' && Array.isArray(value)) return {}
  if (!single.includes(keyword)) return { [keyword]: value }
  if (typeof value !== 'boolean') return kept(isObject(value)) && isObject(value) ? { [keyword]: next(value) } : {}
  return keyword === 'additionalProperties' || keyword === 'unevaluatedProperties' ? { [keyword]: value } : {}
}

const typeOf = (value: unknown): Schema => {
  const known = [value]
    .flat()
    .map(one => (typeof one === 'string' ? (otherTypes[one.toLowerCase()] ?? one.toLowerCase()) : one))
    .filter(one => types.has(one))
  if (known.length === 0) return {}
  return { type: known.length === 1 ? known[0] : [...new Set(known)] }
}

const numberOf = (keyword: string, value: unknown): Schema => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return {}
  if (counts.includes(keyword) && (!Number.isInteger(number) || number < 0)) return {}
  return keyword === 'multipleOf' && number <= 0 ? {} : { [keyword]: number }
}

/** Returns the schema of the items of a list that has one for each place, or none. */
const itemsOf = ({ items, prefixItems }: Schema, names: MemberNames, depth: number): Schema => {
  const places = [prefixItems, items].find(Array.isArray) ?? []
  const given = places.map((one: unknown) => repaired(one, names, depth + 1))
  return given.length > 0 ? (given.reduce<unknown>(either, given[0]) as Schema) : {}
}

/** Returns the required members of a schema, also by the form of draft 3: `required: true` at the member itself. */
const requiredNames = (schema: Schema, names: MemberNames, properties: unknown): string[] => {
  const listed = Array.isArray(schema.required) ? schema.required.filter(name => typeof name === 'string') : []
  const marked = Object.entries(isObject(schema.properties) ? schema.properties : {})
    .filter(([, member]) => isObject(member) && member.required === true)
    .map(([name]) => name)
  const all = [...new Set([...listed, ...marked].map(names.fit))]
  return isObject(properties) ? all.filter(name => Object.hasOwn(properties, name)) : all
}

/** The names of members: those that APIs reject have another one for the model. */
class MemberNames {
  readonly #taken = new Set<string>()
  readonly #given = new Map<string, string>()
  readonly #fitting = new Map<string, string>()

  /** @param schema Its members keep their names apart from those that are made. */
  constructor(schema: unknown) {
    JSON.stringify(schema, (name, member: unknown) => {
      this.#taken.add(name)
      return member
    })
  }

  /** Returns the name of a member for the model. */
  readonly fit = (name: string): string => {
    if (/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) return name
    const known = this.#fitting.get(name)
    if (known !== undefined) return known
    const base = name.replace(/[^a-zA-Z0-9_.-]/g, '_').slice(0, 60) || '_'
    let fitting = base
    for (let count = 2; this.#taken.has(fitting); count += 1) fitting = `${base}_${count}`
    this.#taken.add(fitting)
    this.#fitting.set(name, fitting)
    this.#given.set(fitting, name)
    return fitting
  }

  get isRenamed(): boolean {
    return this.#given.size > 0
  }

  readonly restore = (input: unknown): unknown => {
    if (this.#given.size === 0) return input
    if (Array.isArray(input)) return input.map(this.restore)
    if (!isObject(input)) return input
    const members = Object.entries(input).map(([name, member]) => [this.#given.get(name) ?? name, this.restore(member)])
    return Object.fromEntries(members)
  }
}
