import type { JsonObject, JsonValue } from '@sibyl/protocol'
import type { ClaimVerdict } from '../records/claim-records.ts'
import type { RubricCondition } from '../records/rubric-condition.ts'
import type { ClaimDefinition } from './claim-definition.ts'
import { valueAt } from './json-pointer.ts'

type Operand = string | number | boolean

/** Comparison of a claim's value with a condition's value, by operator. */
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

/** Returns whether a claim's data meets a condition. A missing value meets only `exists` with `false`. */
export const meets = (data: Readonly<JsonObject>, { path, operator, value = true }: RubricCondition): boolean =>
  comparisons[operator](valueAt(data as JsonValue, path), value)

/** A verdict without its author and time. */
export type Finding = Pick<ClaimVerdict, 'decision' | 'reasons' | 'checks'>

/**
 * Judges a claim's data by the rubric of its protocol and the conditions of its collection; all must be met. Without
 * conditions the verdict is `unsure`.
 */
export const judgeByRules = (
  data: Readonly<JsonObject>,
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
  if (checked.length === 0)
    return { decision: 'unsure', reasons: ['There are no conditions to judge the claim by.'], checks }
  if (failed.length > 0) return { decision: 'reject', reasons: failed.map(({ condition }) => condition.reason), checks }
  return { decision: 'approve', reasons: ['All conditions are met.'], checks }
}
