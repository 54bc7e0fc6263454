import { isObject, type JsonObject, jsonPointer, type PropertyRule } from '@sibyl/protocol'
import type { ViolationList } from '../errors/violation-list.ts'
import type { PropertyType } from '../records/protocol-definition.ts'
import { checkJson, checkName, kindOfValue } from './check-json.ts'

/**
 * Finds every problem of properties under the rules of a protocol.
 *
 * @param path path of the properties: `/properties`
 */
export const checkProperties = (
  rules: Readonly<Record<string, PropertyRule>>,
  properties: Readonly<JsonObject>,
  path: string,
  violations: ViolationList,
): void => {
  for (const [name, value] of Object.entries(properties)) {
    if (violations.full) return
    if (!checkName(name, path, violations)) continue
    const place = jsonPointer(path, name)
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule) checkValue(rule, value, place, violations)
    else
      violations.add(
        place,
        'unknown_property',
        `Is not in the protocol. Its properties: ${listed(Object.keys(rules)) || 'none'}.`,
      )
  }
  for (const [name, rule] of Object.entries(rules)) {
    if (!rule.required || Object.hasOwn(properties, name)) continue
    violations.add(
      jsonPointer(path, name),
      'missing_property',
      `Is missing: the protocol requires ${typed[rule.type]} here.`,
    )
  }
}

const checkValue = (rule: PropertyRule, value: unknown, path: string, violations: ViolationList): void => {
  const { type } = rule
  if (!isOfType(type, value)) {
    const remedy = value === null ? ' Omit the property if it has no value.' : ''
    violations.add(path, 'wrong_type', `Must be ${typed[type]}, but is ${kindOfValue(value)}.${remedy}`)
    return
  }
  if (isObject(value)) {
    if (rule.properties) checkProperties(rule.properties, value as Readonly<JsonObject>, path, violations)
    else checkJson(value, path, violations)
  } else if (Array.isArray(value)) checkArray(rule, value, path, violations)
  else {
    checkJson(value, path, violations)
    checkScalar(rule, value as string | number | boolean, path, violations)
  }
}

const checkArray = (rule: PropertyRule, items: readonly unknown[], path: string, violations: ViolationList): void => {
  checkLength(rule, items.length, 'items', path, violations)
  for (const [index, item] of items.entries()) {
    if (violations.full) return
    if (rule.items) checkValue(rule.items, item, jsonPointer(path, index), violations)
    else checkJson(item, jsonPointer(path, index), violations)
  }
}

const checkScalar = (
  rule: PropertyRule,
  value: string | number | boolean,
  path: string,
  violations: ViolationList,
): void => {
  if (rule.enum && !rule.enum.includes(value)) {
    violations.add(path, 'not_in_enum', `Must be one of: ${listed(rule.enum)}.`)
  }
  if (typeof value === 'string') checkLength(rule, charactersOf(value), 'characters', path, violations)
  if (typeof value !== 'number') return
  if (rule.minimum !== undefined && value < rule.minimum) {
    violations.add(path, 'too_small', `Must be ${rule.minimum} or more.`)
  }
  if (rule.maximum !== undefined && value > rule.maximum) {
    violations.add(path, 'too_large', `Must be ${rule.maximum} or less.`)
  }
}

const checkLength = (
  { minLength, maxLength }: PropertyRule,
  length: number,
  unit: string,
  path: string,
  violations: ViolationList,
): void => {
  if (minLength !== undefined && length < minLength) {
    violations.add(path, 'too_short', `Must have ${minLength} ${unit} or more, but has ${length}.`)
  }
  if (maxLength !== undefined && length > maxLength) {
    violations.add(path, 'too_long', `Must have ${maxLength} ${unit} or less, but has ${length}.`)
  }
}

/** Counts code points; an emoji outside of the basic plane is one. */
const charactersOf = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

const typed: Readonly<Record<PropertyType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

const isOfType = (type: PropertyType, value: unknown): boolean => {
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

/** Returns the first ten items of a list, and the number of further ones. */
const listed = (names: readonly (string | number | boolean)[]): string => {
  const first = names.slice(0, 10).join(', ')
  return names.length > 10 ? `${first} and ${names.length - 10} more` : first
}
