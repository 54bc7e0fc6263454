import { jsonPointer, type PropertyRule, storable } from '@sibyl/protocol'
import type { ViolationList } from '../errors/violation-list.ts'
import type { PropertyType } from '../records/protocol-definition.ts'
import { kindOfValue } from './check-json.ts'

const maxEnumValues = 100
const longestEnumText = 200
const longestDescription = 500
const longestUnit = 30
/** Maximum length of a string or array in a rule. */
const largestLength = 1_000_000

/** Parses the members of a rule besides its type, its items and its own properties; invalid ones are omitted. */
export const readRuleMembers = (
  type: PropertyType,
  given: ReadonlyMap<string, unknown>,
  path: string,
  violations: ViolationList,
): Omit<PropertyRule, 'type' | 'items' | 'properties'> => {
  const at = (name: string): string => jsonPointer(path, name)
  const required = readBoolean(given.get('required'), at('required'), violations)
  const description = readText(given.get('description'), longestDescription, at('description'), violations)
  const unit = readText(given.get('unit'), longestUnit, at('unit'), violations)
  const values = readEnum(type, given.get('enum'), at('enum'), violations)
  return {
    ...(required === undefined ? {} : { required }),
    ...(description === undefined ? {} : { description }),
    ...(unit === undefined ? {} : { unit }),
    ...(values === undefined ? {} : { enum: values }),
    ...readRange(given, ['minimum', 'maximum'], Number.isFinite, 'a number', path, violations),
    ...readRange(
      given,
      ['minLength', 'maxLength'],
      isLength,
      `a whole number up to ${largestLength}`,
      path,
      violations,
    ),
  }
}

const isLength = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= largestLength

const readBoolean = (value: unknown, path: string, violations: ViolationList): boolean | undefined => {
  if (value === undefined || typeof value === 'boolean') return value
  violations.add(path, 'wrong_type', `Must be true or false, but is ${kindOfValue(value)}.`)
  return undefined
}

const readText = (value: unknown, longest: number, path: string, violations: ViolationList): string | undefined => {
  if (value === undefined) return undefined
  const isFine = typeof value === 'string' && value.length <= longest && storable(value)
  if (isFine) return value
  violations.add(path, 'wrong_type', `Must be a string of at most ${longest} characters.`)
  return undefined
}

const readEnum = (
  type: PropertyType,
  value: unknown,
  path: string,
  violations: ViolationList,
): PropertyRule['enum'] => {
  if (value === undefined) return undefined
  if (!Array.isArray(value) || value.length === 0 || value.length > maxEnumValues) {
    violations.add(path, 'wrong_type', `Must be an array of 1 to ${maxEnumValues} values.`)
    return undefined
  }
  const values: (string | number | boolean)[] = []
  for (const [index, one] of value.entries()) {
    const place = jsonPointer(path, index)
    if (typeof one !== type)
      violations.add(place, 'wrong_type', `Must be a ${type} like the property, but is ${kindOfValue(one)}.`)
    else if (typeof one === 'string' && (one.length > longestEnumText || !storable(one))) {
      violations.add(place, 'text_invalid', `Must be a string of at most ${longestEnumText} characters, without NUL.`)
    } else if (typeof one === 'number' && !Number.isFinite(one)) {
      violations.add(place, 'number_invalid', 'Must be a finite number.')
    } else if (values.includes(one)) violations.add(place, 'repeated_value', 'Is a duplicate in the list.')
    else values.push(one)
  }
  return values
}

const readRange = <Low extends 'minimum' | 'minLength', High extends 'maximum' | 'maxLength'>(
  given: ReadonlyMap<string, unknown>,
  [low, high]: readonly [Low, High],
  fits: (value: unknown) => boolean,
  form: string,
  path: string,
  violations: ViolationList,
): { readonly [End in Low | High]?: number } => {
  const ends: { [name: string]: number } = {}
  for (const name of [low, high]) {
    const value = given.get(name)
    if (value === undefined) continue
    if (fits(value)) ends[name] = value as number
    else violations.add(jsonPointer(path, name), 'wrong_type', `Must be ${form}, but is ${kindOfValue(value)}.`)
  }
  const [least, max] = [ends[low], ends[high]]
  if (least !== undefined && max !== undefined && least > max) {
    violations.add(jsonPointer(path, low), 'range_invalid', `Must not be more than ${high}.`)
  }
  return ends as { [End in Low | High]?: number }
}
