import type { ClaimVerdict, Properties, RubricCondition } from '@sibyl/protocol'
import type { ClaimDefinition } from './claim-definition.ts'
import { meets } from './conditions.ts'

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
