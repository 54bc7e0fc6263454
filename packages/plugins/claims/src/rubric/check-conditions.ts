import { type Fault, jsonPointer, type PropertyRule, type PropertyRuleMap, type RubricCondition } from '@sibyl/protocol'
import { fault } from '../definitions/claims-errors.ts'
import { pointerSegments } from './json-pointer.ts'

/**
 * Finds every fault of conditions: ids that stand twice, paths that claims do not have, and values that an operator or the
 * property cannot be compared with.
 *
 * @param properties what claims look like; undefined where nothing is said of it
 * @param path where the conditions are: `/claim/rubric`
 */
export const checkConditions = (
  conditions: readonly RubricCondition[],
  properties: PropertyRuleMap | undefined,
  path: string,
): readonly Fault[] => {
  const known = new Set<string>()
  return conditions.flatMap((condition, index) => {
    const place = jsonPointer(path, index)
    const twice = known.has(condition.id)
    known.add(condition.id)
    return [
      ...(twice ? [fault(`${place}/id`, 'id_taken', `Another condition has the id ${condition.id}.`)] : []),
      ...checkValue(condition, place),
      ...checkPath(condition, properties, place),
    ]
  })
}

const ordering: readonly RubricCondition['operator'][] = ['at-least', 'at-most', 'more-than', 'less-than']

const checkValue = ({ operator, value }: RubricCondition, place: string): readonly Fault[] => {
  const wrong = (needed: string) => [fault(`${place}/value`, 'wrong_type', `With ${operator} it must be ${needed}.`)]
  if (operator === 'exists') return value === undefined || typeof value === 'boolean' ? [] : wrong('true or false')
  if (value === undefined) return [fault(`${place}/value`, 'missing_property', `${operator} needs a value.`)]
  if (operator === 'one-of') return Array.isArray(value) ? [] : wrong('a list')
  if (Array.isArray(value)) return wrong('one value')
  return ordering.includes(operator) && typeof value !== 'number' ? wrong('a number') : []
}

const checkPath = (
  { path, operator, value }: RubricCondition,
  properties: PropertyRuleMap | undefined,
  place: string,
): readonly Fault[] => {
  if (!properties) return []
  const rule = ruleAt({ type: 'object', properties }, pointerSegments(path))
  if (rule === 'anything') return []
  if (rule === undefined) return [fault(`${place}/path`, 'unknown_property', 'Claims have no such property.')]
  const unfit = fault(
    `${place}/operator`,
    'wrong_type',
    `${operator} does not go with a property of type ${rule.type}.`,
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

const wrongValue = (place: string, rule: PropertyRule | undefined): Fault =>
  fault(`${place}/value`, 'wrong_type', `Must be of the property's own type, ${rule?.type}.`)

/** The rule of the property that a path leads to; `anything` where no rule says what is there. */
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
