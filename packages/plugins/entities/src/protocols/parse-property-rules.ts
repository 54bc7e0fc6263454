import { isObject, jsonPointer, memberName, type PropertyRule } from '@sibyl/protocol'
import type { ViolationList } from '../errors/violation-list.ts'
import { type PropertyType, propertyTypes } from '../records/protocol-definition.ts'
import { kindOfValue } from './check-json.ts'
import { readRuleMembers } from './read-rule-members.ts'

/** Maximum nesting depth of a protocol's objects and arrays. */
const deepestRule = 8
/** Maximum number of properties of a protocol, including those of its objects and arrays. */
const maxRules = 500

/** Members of a rule besides `type`, `required` and `description`, by type. */
const membersOf: Readonly<Record<PropertyType, readonly (keyof PropertyRule)[]>> = {
  string: ['enum', 'minLength', 'maxLength'],
  number: ['enum', 'minimum', 'maximum', 'unit'],
  boolean: ['enum'],
  object: ['properties'],
  array: ['items', 'minLength', 'maxLength'],
}

export interface RuleReading {
  readonly faults: ViolationList
  rules: number
}

type Rules = Readonly<Record<string, PropertyRule>>

/** Parses a map of property names to rules; invalid rules are omitted. */
export const parsePropertyRules = (posted: unknown, path: string, reading: RuleReading, depth = 0): Rules => {
  const { faults } = reading
  if (!isObject(posted)) {
    const message = `Must be an object of property names with their types, but is ${kindOfValue(posted)}.`
    faults.add(path, 'wrong_type', message)
    return {}
  }
  const rules: [string, PropertyRule][] = []
  for (const [name, value] of Object.entries(posted)) {
    if (++reading.rules > maxRules) {
      faults.add(
        path,
        'too_many',
        `A protocol may have at most ${maxRules} properties, including those of its objects.`,
      )
      break
    }
    if (!memberName.safeParse(name).success) {
      faults.add(path, 'name_invalid', `The name ${JSON.stringify(name.slice(0, 64))} must ${nameForm}.`)
      continue
    }
    const rule = parsePropertyRule(value, jsonPointer(path, name), reading, depth)
    if (rule) rules.push([name, rule])
  }
  return Object.fromEntries(rules)
}

export const nameForm = 'begin with a letter, and contain only letters, digits, _ and -, at most 64'

const parsePropertyRule = (
  posted: unknown,
  path: string,
  reading: RuleReading,
  depth: number,
): PropertyRule | undefined => {
  const { faults } = reading
  if (typeof posted === 'string') {
    if (isTypeName(posted)) return { type: posted }
    faults.add(path, 'unknown_type', `Must be one of the types ${propertyTypes.join(', ')}.`)
    return undefined
  }
  if (!isObject(posted)) {
    const message = `Must be the name of a type, or an object such as {"type":"string"}, but is ${kindOfValue(posted)}.`
    faults.add(path, 'wrong_type', message)
    return undefined
  }
  const type = Object.hasOwn(posted, 'type') ? posted.type : undefined
  if (!isTypeName(type)) {
    faults.add(jsonPointer(path, 'type'), 'unknown_type', `Must be one of the types ${propertyTypes.join(', ')}.`)
    return undefined
  }
  if (depth >= deepestRule) {
    faults.add(path, 'too_deep', `Objects and arrays of a protocol may be nested at most ${deepestRule} levels deep.`)
    return undefined
  }
  return readMembers(posted, type, path, reading, depth)
}

const isTypeName = (value: unknown): value is PropertyType => propertyTypes.some(type => type === value)

const readMembers = (
  posted: Readonly<Record<string, unknown>>,
  type: PropertyType,
  path: string,
  reading: RuleReading,
  depth: number,
): PropertyRule => {
  const known = ['type', 'required', 'description', ...membersOf[type]]
  const given = new Map<string, unknown>()
  for (const [name, value] of Object.entries(posted)) {
    if (known.includes(name)) given.set(name, value)
    else if (name.length > 64) reading.faults.add(path, 'unknown_member', 'Has a member whose name is too long.')
    else {
      const message = `Unknown member. A property of type ${type} may have ${known.join(', ')}.`
      reading.faults.add(jsonPointer(path, name), 'unknown_member', message)
    }
  }
  return {
    type,
    ...readRuleMembers(type, given, path, reading.faults),
    ...(given.has('properties') && {
      properties: parsePropertyRules(given.get('properties'), jsonPointer(path, 'properties'), reading, depth + 1),
    }),
    ...readItems(given, jsonPointer(path, 'items'), reading, depth),
  }
}

const readItems = (
  given: ReadonlyMap<string, unknown>,
  path: string,
  reading: RuleReading,
  depth: number,
): { readonly items?: PropertyRule } => {
  if (!given.has('items')) return {}
  const posted = given.get('items')
  if (isObject(posted) && Object.hasOwn(posted, 'required')) {
    reading.faults.add(jsonPointer(path, 'required'), 'unknown_member', 'Items cannot be required; use minLength.')
  }
  if (++reading.rules > maxRules) return {}
  const items = parsePropertyRule(posted, path, reading, depth + 1)
  return items ? { items } : {}
}
