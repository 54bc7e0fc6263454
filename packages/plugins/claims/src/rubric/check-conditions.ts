import { jsonPointer, type PropertyRule, type Violation } from '@sibyl/protocol'
import { violation } from '../definitions/claims-errors.ts'
import type { RubricCondition } from '../records/rubric-condition.ts'
import { pointerSegments } from './json-pointer.ts'

/**
 * Finds every problem of conditions: repeated ids, paths that claims do not have, and values that cannot be compared by
 * the operator or with the property.
 *
 * @param properties rules of the claims' data; undefined without rules
 * @param path JSON Pointer of the conditions: `/claim/rubric`
 */
export const checkConditions = (
  conditions: readonly RubricCondition[],
  properties: Readonly<Record<string, PropertyRule>> | undefined,
  path: string,
): readonly Violation[] => {
  const known = new Set<string>()
  return conditions.flatMap((condition, index) => {
    const place = jsonPointer(path, index)
    const twice = known.has(condition.id)
    known.add(condition.id)
    return [
      ...(twice
        ? [violation(`${place}/id`, 'id_taken', `The id ${condition.id} is already used by another condition.`)]
        : []),
      ...checkValue(condition, place),
      ...checkPath(condition, properties, place),
    ]
  })
}

const ordering: readonly RubricCondition['operator'][] = ['at-least', 'at-most', 'more-than', 'less-than']

const checkValue = ({ operator, value }: RubricCondition, place: string): readonly Violation[] => {
  const wrong = (needed: string) => [
    violation(`${place}/value`, 'wrong_type', `With ${operator} it must be ${needed}.`),
  ]
  if (operator === 'exists') return value === undefined || typeof value === 'boolean' ? [] : wrong('true or false')
  if (value === undefined) return [violation(`${place}/value`, 'missing_property', `${operator} needs a value.`)]
  if (operator === 'one-of') return Array.isArray(value) ? [] : wrong('a list')
  if (Array.isArray(value)) return wrong('one value')
  return ordering.includes(operator) && typeof value !== 'number' ? wrong('a number') : []
}

const checkPath = (
  { path, operator, value }: RubricCondition,
  properties: Readonly<Record<string, PropertyRule>> | undefined,
  place: string,
): readonly Violation[] => {
  if (!properties) return []
  const rule = ruleAt({ type: 'object', properties }, pointerSegments(path))
  if (rule === 'anything') return []
  if (rule === undefined) return [violation(`${place}/path`, 'unknown_property', 'Claims do not have this property.')]
  const unfit = violation(
    `${place}/operator`,
    'wrong_type',
    `The operator ${operator} does not apply to a property of type ${rule.type}.`,
  )
  if (operator === 'exists') return []
  if (ordering.includes(operator)) return rule.type === 'number' ? [] : [unfit]
  if (operator === 'contains') {
    if (rule.type === 'array') return fits(rule.items?.type, value) ? [] : [wrongValue(place, rule.items)]
    if (rule.type !== 'string') return [unfit]
  }
  if (rule.type === 'object' || rule.type === 'array') return [unfit]
  const values = Array.isArray(value) ? value : [value]
  return values.every(one => fits(rule.type, one)) ? [] : [wrongValue(place, rule)]
}

const fits = (type: PropertyRule['type'] | undefined, value: unknown): boolean =>
  type === undefined || value === undefined || typeof value === type

const wrongValue = (place: string, rule: PropertyRule | undefined): Violation =>
  violation(`${place}/value`, 'wrong_type', `Must have the type of the property, ${rule?.type}.`)

/** Returns the rule of the property at a path; `anything` if no rule covers it. */
const ruleAt = (rule: PropertyRule, segments: readonly string[]): PropertyRule | 'anything' | undefined => {
  const [segment, ...rest] = segments
  if (segment === undefined) return rule
  if (rule.type === 'array') {
    if (!/^(?:0|[1-9]\d*)$/.test(segment)) return undefined
    return rule.items ? ruleAt(rule.items, rest) : 'anything'
  }
  if (rule.type !== 'object') return undefined
  if (!rule.properties) return 'anything'
  const inner = Object.hasOwn(rule.properties, segment) ? rule.properties[segment] : undefined
  return inner && ruleAt(inner, rest)
}
