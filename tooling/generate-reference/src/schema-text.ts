/** The parts of JSON Schema that our schemas come out as. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly format?: string
  readonly default?: unknown
  readonly description?: string
}

/**
 * A schema as a TypeScript type, on several lines where it has properties; a schema with a name is called by it. Comments
 * tell what a type cannot.
 */
export const schemaText = (schema: JsonSchema): string => typeText(schema, '')

/** A schema as a TypeScript type on one line, without comments. */
export const schemaLine = (schema: JsonSchema): string => typeText(schema, undefined)

/** The blanks in front of each line; undefined for a text of one line. */
type Indent = string | undefined

const typeText = (schema: JsonSchema, indent: Indent): string => {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(one => typeText(one, indent)).join(' | ')
  const { type } = schema
  if (typeof type === 'object') return type.map(one => typeText({ type: one }, indent)).join(' | ')
  switch (type) {
    case 'integer':
      return 'number'
    case 'array':
      return listText(schema.items ?? {}, indent)
    case 'object':
      return objectText(schema, indent)
    case undefined:
      return 'unknown'
    default:
      return type
  }
}

/** Returns the parts of a schema besides its type: limits, formats, defaults and the description; '' without any. */
export const schemaNotes = (schema: JsonSchema): string => {
  const { description, default: preset } = schema
  const notes = [
    description,
    ...[schema, ...(schema.anyOf ?? [])].flatMap(limitsOf),
    preset === undefined ? undefined : `${literal(preset)} when missing`,
  ]
  return [...new Set(notes)].filter(note => note !== undefined && note !== '').join(', ')
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

const listText = (items: JsonSchema, indent: Indent): string => {
  const text = typeText(items, indent)
  return items.anyOf || items.enum ? `(${text})[]` : `${text}[]`
}

const objectText = ({ properties = {}, required = [], additionalProperties }: JsonSchema, indent: Indent): string => {
  const inner = indent === undefined ? undefined : `${indent}  `
  const entries = [
    ...Object.entries(properties).map(([name, schema]) => ({
      name: `${propertyName(name)}${required.includes(name) ? '' : '?'}`,
      schema,
    })),
    ...(typeof additionalProperties === 'object' ? [{ name: '[name: string]', schema: additionalProperties }] : []),
  ]
  if (entries.length === 0) return 'object'
  if (inner === undefined)
    return `{ ${entries.map(({ name, schema }) => `${name}: ${schemaLine(schema)}`).join(', ')} }`
  return `{\n${entries.flatMap(({ name, schema }) => propertyLines(name, schema, inner)).join('\n')}\n${indent}}`
}

const propertyName = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`)

const propertyLines = (name: string, schema: JsonSchema, indent: string): string[] => {
  const text = `${indent}${name}: ${typeText(schema, indent)}`
  const notes = schemaNotes(schema)
  if (notes === '') return [text]
  return text.includes('\n') ? [`${indent}// ${notes}`, text] : [`${text} // ${notes}`]
}

const formats: Readonly<Record<string, string>> = { 'date-time': 'date and time, ISO 8601', date: 'date, ISO 8601' }

const limitsOf = (schema: JsonSchema): string[] => {
  const { type, format, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  return [
    format === undefined ? '' : (formats[format] ?? format),
    type === 'integer' ? `whole number${range(minimum, maximum)}` : range(minimum, maximum).trim(),
    count(minLength, maxLength, 'characters'),
    count(minItems, maxItems, 'entries'),
  ].filter(text => text !== '')
}

const finite = (limit: number | undefined): limit is number =>
  limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER

const figure = (value: number): string => value.toLocaleString('en-US')

const range = (least: number | undefined, max: number | undefined): string =>
  `${finite(least) ? ` from ${figure(least)}` : ''}${finite(max) ? ` up to ${figure(max)}` : ''}`

const count = (least: number | undefined, max: number | undefined, what: string): string => {
  if (finite(least) && finite(max)) return `${figure(least)} to ${figure(max)} ${what}`
  if (finite(max)) return `at most ${figure(max)} ${what}`
  return finite(least) ? `at least ${figure(least)} ${what}` : ''
}
