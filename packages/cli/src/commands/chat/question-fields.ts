import { isObject, type JsonValue } from '@sibyl/protocol'
import { cleanLine } from '../../output/clean-text.ts'

/** One of several values, with its label. */
interface FieldChoice {
  readonly value: JsonValue
  readonly label: string
}

/** A member of the answer to a tool, with texts that are safe to print. */
export interface QuestionField {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'list'
  /** With `choice` the available values; with `list` the allowed items, or empty if any are allowed. */
  readonly choices: readonly FieldChoice[]
  readonly required: boolean
  readonly default: JsonValue | undefined
  /** Of a text: `email`, `uri`, `date`, `date-time`; others are not checked. */
  readonly format: string | undefined
  /** Of the number, or of the length of the text. */
  readonly least: number | undefined
  readonly max: number | undefined
}

const limits = { fields: 30, choices: 50, title: 80, description: 200 }

/** Returns the members of the answer to a tool from its JSON Schema. Other parts of the schema are ignored. */
export const questionFields = (schema: unknown): QuestionField[] => {
  const { properties } = asObject(schema)
  const needed = new Set(requiredNames(schema))
  return Object.entries(asObject(properties))
    .filter(([name], place) => place < limits.fields || needed.has(name))
    .map(([name, member]) => fieldOf(name, asObject(member), needed.has(name)))
}

/** Returns the required members of an answer, including those that the schema does not describe. */
export const requiredNames = (schema: unknown): readonly unknown[] => {
  const { required } = asObject(schema)
  return Array.isArray(required) ? required : []
}

type Members = Readonly<Record<string, unknown>>

const fieldOf = (name: string, schema: Members, required: boolean): QuestionField => {
  const { type } = schema
  const choices = choicesOf(type === 'array' ? asObject(schema.items) : schema)
  const kind =
    type === 'array'
      ? 'list'
      : choices.length > 0
        ? 'choice'
        : type === 'number' || type === 'integer' || type === 'boolean'
          ? type
          : 'text'
  const isNumber = kind === 'number' || kind === 'integer'
  return {
    name,
    title: shown(schema.title, limits.title) || shown(name, limits.title),
    description: shown(schema.description, limits.description),
    kind,
    choices,
    required,
    default: schema.default as JsonValue | undefined,
    format: typeof schema.format === 'string' ? schema.format : undefined,
    least: numberOf(isNumber ? schema.minimum : schema.minLength),
    max: numberOf(isNumber ? schema.maximum : schema.maxLength),
  }
}

/** From `enum`, with `enumNames` beside it, or from alternatives with a `const` and a `title` each. */
const choicesOf = (schema: Members): FieldChoice[] => {
  const alternatives = [schema.oneOf, schema.anyOf].find(Array.isArray)
  if (alternatives) {
    const named = alternatives.map(asObject).filter(one => isPlain(one.const))
    return named.slice(0, limits.choices).map(({ const: value, title }) => choiceOf(value, title))
  }
  if (!Array.isArray(schema.enum)) return []
  const names: readonly unknown[] = Array.isArray(schema.enumNames) ? schema.enumNames : []
  return schema.enum
    .filter(isPlain)
    .slice(0, limits.choices)
    .map((value, index) => choiceOf(value, names[index]))
}

const choiceOf = (value: unknown, title: unknown): FieldChoice => ({
  value: value as JsonValue,
  label: shown(title, limits.title) || shown(String(value), limits.title) || '(empty)',
})

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

const asObject = (value: unknown): Members => (isObject(value) ? (value as Members) : {})

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

const shown = (value: unknown, longest: number): string => {
  const text = typeof value === 'string' ? cleanLine(value) : ''
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
