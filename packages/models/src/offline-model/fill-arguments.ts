import { coerceValue } from './coerce-value.ts'
import { kindViolation } from './kind-violation.ts'
import { type Candidate, type JsonSchema, placeholdersOf, type ToolInput, wordingsOf } from './offline-catalog.ts'

/** The arguments of a call, or the value that still has to be asked for. */
export type Filled =
  | { readonly args: Readonly<Record<string, unknown>> }
  | {
      /** The placeholder. */
      readonly ask: string
      readonly schema: JsonSchema | undefined
      /** The error of the given value, if any. */
      readonly fault?: string
    }

/** A placeholder that has no value, or one that does not fit. */
class Unfilled extends Error {
  readonly placeholder: string
  readonly schema: JsonSchema | undefined
  readonly fault: string | undefined

  constructor(placeholder: string, schema: JsonSchema | undefined, violation?: string) {
    super(placeholder)
    this.placeholder = placeholder
    this.schema = schema
    this.fault = violation
  }
}

/**
 * Fills the example's `args` with the person's values, coerced by the tool's input schema and checked by the tool.
 * A value that only some wordings carry and that the tool does not require is left out when it is missing.
 */
export const fillArguments = (candidate: Candidate, input: ToolInput | undefined): Filled => {
  const template = withRequired(candidate, input)
  const args: Record<string, unknown> = {}
  try {
    for (const [property, value] of Object.entries(template)) {
      const schema = propertySchema(input?.schema, property)
      const required = isRequired(input?.schema, property)
      const filled = fill(value, schema, { candidate, required, strict: input?.writes !== false })
      if (filled !== undefined) define(args, property, filled)
    }
  } catch (error) {
    if (!(error instanceof Unfilled)) throw error
    const { placeholder, schema, fault } = error
    return fault === undefined ? { ask: placeholder, schema } : { ask: placeholder, schema, fault }
  }
  return checked(args, template, candidate, input)
}

/** The example's arguments, with a placeholder for each property that the tool requires and the example leaves out. */
const withRequired = ({ example }: Candidate, input: ToolInput | undefined): Readonly<Record<string, unknown>> => {
  const missing = (input?.schema.required ?? []).filter(property => !Object.hasOwn(example.args, property))
  return { ...example.args, ...Object.fromEntries(missing.map(property => [property, `{${property}}`])) }
}

interface Place {
  readonly candidate: Candidate
  readonly required: boolean
  /** Whether values have to be of their kind, and more than a pronoun: where the tool writes. */
  readonly strict: boolean
}

const fill = (value: unknown, schema: JsonSchema | undefined, place: Place): unknown => {
  if (typeof value === 'string') return fillText(value, schema, place)
  if (Array.isArray(value)) {
    const items = asSchema(Array.isArray(schema?.items) ? schema.items[0] : schema?.items)
    return value.map(item => fill(item, items, place)).filter(item => item !== undefined)
  }
  if (typeof value === 'object' && value !== null) {
    const filled: Record<string, unknown> = {}
    for (const [property, item] of Object.entries(value)) {
      const inner = fill(item, propertySchema(schema, property), place)
      if (inner !== undefined) define(filled, property, inner)
    }
    return filled
  }
  return value
}

const fillText = (text: string, schema: JsonSchema | undefined, place: Place): unknown => {
  const names = placeholdersOf(text)
  if (names.length === 0) return text
  const { values } = place.candidate
  for (const name of names) {
    if (Object.hasOwn(values, name)) continue
    if (place.required || inEveryWording(place.candidate, name)) throw new Unfilled(name, schema)
    return undefined
  }
  if (place.strict) {
    for (const name of names) {
      const violation = kindViolation(name, values[name]!, text === `{${name}}` ? schema : undefined)
      if (violation !== undefined) throw new Unfilled(name, schema, violation)
    }
  }
  const [only = ''] = names
  if (text !== `{${only}}`) return text.replace(/\{([A-Za-z_]\w*)\}/g, (_, name: string) => values[name] ?? '')
  const coerced = coerceValue(values[only]!, schema)
  if ('value' in coerced) return coerced.value
  throw new Unfilled(only, schema, `expected ${coerced.expected}`)
}

/** Whether every wording of the example carries the value. */
const inEveryWording = ({ example }: Candidate, placeholder: string): boolean =>
  wordingsOf(example).every(wording => placeholdersOf(wording).includes(placeholder))

const checked = (
  args: Readonly<Record<string, unknown>>,
  template: Readonly<Record<string, unknown>>,
  { values }: Candidate,
  input: ToolInput | undefined,
): Filled => {
  const issue = input?.check?.(args)
  if (issue === undefined || !Object.hasOwn(template, issue.property)) return { args }
  const [placeholder] = placeholdersOf(JSON.stringify(template[issue.property]) ?? '')
  if (placeholder === undefined || !Object.hasOwn(values, placeholder)) return { args }
  return { ask: placeholder, schema: propertySchema(input?.schema, issue.property), fault: issue.text }
}

const propertySchema = (schema: JsonSchema | undefined, property: string): JsonSchema | undefined => {
  const properties = schema?.properties
  if (properties && Object.hasOwn(properties, property)) return asSchema(properties[property])
  return asSchema(schema?.additionalProperties)
}

const asSchema = (schema: JsonSchema | boolean | undefined): JsonSchema | undefined =>
  typeof schema === 'object' ? schema : undefined

const isRequired = (schema: JsonSchema | undefined, property: string): boolean =>
  schema?.required?.includes(property) === true

const define = (target: Record<string, unknown>, property: string, value: unknown) =>
  Object.defineProperty(target, property, { value, enumerable: true, configurable: true, writable: true })
