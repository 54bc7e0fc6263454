import type { JsonSchema } from './offline-catalog.ts'
import { readNumber } from './read-number.ts'

/** A value that fits a schema, or what would have fitted. */
export type Coerced = { readonly value: unknown } | { readonly expected: string }

const yes = new Set(['yes', 'y', 'true', 'on', 'enable', 'enabled', 'sure', '1'])
const no = new Set(['no', 'n', 'false', 'off', 'disable', 'disabled', 'none', '0'])

/**
 * Turns what a person wrote into a value of the schema: '3' and 'three' into 3, 'Yes' into true, 'CELSIUS' into the
 * enum's 'celsius', 'a, b and c' into a list. Without a schema the text stays as it is.
 */
export const coerceValue = (text: string, schema: JsonSchema | boolean | undefined): Coerced => {
  if (typeof schema !== 'object') return { value: text }
  const choices = schema.const === undefined ? schema.enum : [schema.const]
  if (choices) return coerceChoice(text, choices)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return firstFit(alternatives.map(one => () => coerceValue(text, one)))
  if (Array.isArray(schema.type)) {
    const exactFirst = schema.type.toSorted((one, other) => Number(one === 'string') - Number(other === 'string'))
    return firstFit(exactFirst.map(type => () => coerceValue(text, { ...schema, type })))
  }
  switch (schema.type) {
    case 'integer':
    case 'number':
      return coerceNumber(text, schema)
    case 'boolean':
      return coerceBoolean(text)
    case 'array':
      return coerceList(text, schema)
    case 'object':
      return coerceObject(text)
    case 'null':
      return { expected: 'nothing' }
    default:
      return { value: text }
  }
}

const firstFit = (attempts: readonly (() => Coerced)[]): Coerced => {
  const results = attempts.map(attempt => attempt())
  return results.find(result => 'value' in result) ?? results[0] ?? { expected: 'something else' }
}

/** Compares values of a choice without case, blanks, hyphens and underscores. */
const plain = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .replace(/[\s_-]+/g, '')

const coerceChoice = (text: string, choices: readonly unknown[]): Coerced => {
  const match = choices.find(choice => plain(choice) === plain(text))
  return match === undefined ? { expected: `one of ${choices.slice(0, 12).map(String).join(', ')}` } : { value: match }
}

const coerceNumber = (text: string, schema: JsonSchema): Coerced => {
  const whole = schema.type === 'integer'
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const kind = whole ? 'a whole number' : 'a number'
  const near = (limit: number | undefined) => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER
  const range = [near(minimum) ? `from ${minimum}` : '', near(maximum) ? `up to ${maximum}` : '']
    .filter(Boolean)
    .join(' ')
  const value = readNumber(text)
  const fits =
    value !== undefined &&
    (!whole || Number.isSafeInteger(value)) &&
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum)
  return fits ? { value } : { expected: range === '' ? kind : `${kind} ${range}` }
}

const coerceBoolean = (text: string): Coerced => {
  const word = text.toLowerCase().trim()
  if (yes.has(word)) return { value: true }
  return no.has(word) ? { value: false } : { expected: 'yes or no' }
}

const coerceList = (text: string, schema: JsonSchema): Coerced => {
  const items = Array.isArray(schema.items) ? schema.items[0] : schema.items
  const values: unknown[] = []
  for (const piece of text.replace(/\s+/g, ' ').split(/ ?[,;] ?(?:and )?| and /i)) {
    if (piece === '') continue
    const coerced = coerceValue(piece, items)
    if ('expected' in coerced) return { expected: `a list, each ${coerced.expected}` }
    values.push(coerced.value)
  }
  return values.length > 0 ? { value: values } : { expected: 'a list' }
}

const coerceObject = (text: string): Coerced => {
  try {
    if (text.length > 2_000) return { expected: 'a shorter JSON object' }
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value }
  } catch {
    // Not JSON: answered below.
  }
  return { expected: 'a JSON object' }
}
