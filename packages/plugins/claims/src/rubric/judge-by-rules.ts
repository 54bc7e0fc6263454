import type { ClaimVerdict, JsonValue, Properties, RubricCondition } from '@sibyl/protocol'
import type { ClaimDefinition } from './claim-definition.ts'
import { valueAt } from './json-pointer.ts'

type Operand = string | number | boolean

/** How each operator compares the value of a claim with that of the condition. */
const comparisons: Readonly<
  Record<RubricCondition['operator'], (value: JsonValue | undefined, operand: Operand | readonly Operand[]) => boolean>
> = {
  equals: (value, operand) => value === operand,
  'not-equals': (value, operand) => value !== undefined && value !== null && value !== operand,
  'at-least': (value, operand) => isNumber(value) && isNumber(operand) && value >= operand,
  'at-most': (value, operand) => isNumber(value) && isNumber(operand) && value <= operand,
  'more-than': (value, operand) => isNumber(value) && isNumber(operand) && value > operand,
  'less-than': (value, operand) => isNumber(value) && isNumber(operand) && value < operand,
  'one-of': (value, operand) => Array.isArray(operand) && operand.includes(value as Operand),
  contains: (value, operand) =>
    Array.isArray(value)
      ? value.includes(operand as Operand)
      : typeof value === 'string' && typeof operand === 'string' && value.includes(operand),
  exists: (value, operand) => (value !== undefined && value !== null) === (operand !== false),
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Whether a claim's data meets a condition. A value that is missing meets none but `exists` with `false`. */
export const meets = (data: Properties, { path, operator, value = true }: RubricCondition): boolean =>
  comparisons[operator](valueAt(data as JsonValue, path), value)

/** What was found, without who found it and when. */
export type Finding = Pick<ClaimVerdict, 'decision' | 'reasons' | 'checks'>

/**
 * Judges a claim's data by the rubric of its protocol and the conditions of its collection: all must be met. Without any it
 * is `unsure`, for nothing was looked at.
 */
export const judgeByRules = (
  data: Properties,
  { rubric }: ClaimDefinition,
  conditions: readonly RubricCondition[],
): Finding => {
  const checked = [
    ...rubric.map(condition => ({ condition, of: 'protocol' as const })),
    ...conditions.map(condition => ({ condition, of: 'collection' as const })),
  ].map(({ condition, of }) => ({ condition, of, passed: meets(data, condition) }))
  const failed = checked.filter(({ passed }) => !passed)
  const checks = checked.map(({ condition, of, passed }) => ({
    id: condition.id,
    of,
    passed,
    ...(passed ? {} : { reason: condition.reason }),
  }))
  if (checked.length === 0) return { decision: 'unsure', reasons: ['There are no conditions to judge it by.'], checks }
  if (failed.length > 0) return { decision: 'reject', reasons: failed.map(({ condition }) => condition.reason), checks }
  return { decision: 'approve', reasons: ['All conditions are met.'], checks }
}
