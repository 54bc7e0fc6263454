import { jsonPointer, storable } from '@sibyl/protocol'
import type { ViolationList } from '../errors/violation-list.ts'

/** Returns the kind of a value, for messages that do not show it: `a string`, `null`, `an array`. */
export const kindOfValue = (value: unknown): string => {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const deepestJson = 32

const longestName = 200

/**
 * Finds values that no database or signature can represent, regardless of the protocol: invalid Unicode, numbers beyond
 * the range of JSON, names that are too long or change prototypes, and unbounded nesting.
 */
export const checkJson = (value: unknown, path: string, violations: ViolationList, depth = 0): void => {
  if (violations.full) return
  switch (typeof value) {
    case 'string':
      if (!storable(value)) violations.add(path, 'text_invalid', brokenText)
      return
    case 'number':
      if (!Number.isFinite(value)) violations.add(path, 'number_invalid', 'Must be a finite number.')
      return
    case 'boolean':
      return
    case 'object':
      if (value === null) return
      if (depth >= deepestJson) violations.add(path, 'too_deep', `Must be nested at most ${deepestJson} levels deep.`)
      else if (Array.isArray(value)) {
        for (const [index, item] of value.entries()) checkJson(item, jsonPointer(path, index), violations, depth + 1)
      } else checkMembers(value, path, violations, depth)
      return
    default:
      violations.add(path, 'wrong_type', 'Must be JSON.')
  }
}

/** Returns whether the name of a member can be stored; otherwise adds a problem to its object. */
export const checkName = (name: string, path: string, violations: ViolationList): boolean => {
  if (name.length > longestName) {
    violations.add(path, 'name_invalid', `Has a member whose name has more than ${longestName} characters.`)
  } else if (!storable(name)) violations.add(path, 'name_invalid', `Has a member with an invalid name. ${brokenText}`)
  else if (name === '__proto__') violations.add(path, 'name_invalid', 'Must not have a member __proto__.')
  else return true
  return false
}

const checkMembers = (value: object, path: string, violations: ViolationList, depth: number): void => {
  for (const [name, member] of Object.entries(value)) {
    if (checkName(name, path, violations)) checkJson(member, jsonPointer(path, name), violations, depth + 1)
  }
}

const brokenText = 'Text must not contain the character NUL or half of a surrogate pair.'
