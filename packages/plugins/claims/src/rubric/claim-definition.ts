import {
  isObject,
  type JsonValue,
  jsonPointer,
  type PropertyRule,
  type propertyRules,
  type ServiceOf,
  type Violation,
} from '@sibyl/protocol'
import { z } from 'zod'
import { violation, violationsOf } from '../definitions/claims-errors.ts'
import { type RubricCondition, rubricCondition } from '../records/rubric-condition.ts'
import { checkConditions } from './check-conditions.ts'

/** Rules of a protocol version for claims about its entities. */
export interface ClaimDefinition {
  /** Rules of their data; undefined: any data. */
  readonly properties?: Readonly<Record<string, PropertyRule>>
  /** Conditions; all must be met. */
  readonly rubric: readonly RubricCondition[]
}

const rubric = z.array(rubricCondition).max(100)

/**
 * Parses the member `claim` of a Protocol: `{ properties: { name: rule }, rubric: [condition] }`, both optional. Pure.
 *
 * @param claim the posted value; undefined if the protocol has no rules for claims
 * @param rules reader of properties, the same as for protocols
 * @returns the definition, or every problem of it with paths such as `/claim/rubric/0/operator`
 */
export const parseClaimDefinition = (
  claim: JsonValue | undefined,
  rules: ServiceOf<typeof propertyRules>,
): { readonly definition: ClaimDefinition } | { readonly faults: readonly Violation[] } => {
  if (claim === undefined) return { definition: { rubric: [] } }
  if (!isObject(claim)) {
    return { faults: [violation('/claim', 'wrong_type', 'Must be an object with properties and a rubric.')] }
  }
  const strays = Object.keys(claim)
    .filter(name => name !== 'properties' && name !== 'rubric')
    .map(name =>
      violation(
        jsonPointer('/claim', name.slice(0, 64)),
        'unknown_member',
        'Unknown member. Use properties and rubric.',
      ),
    )
  const properties = claim.properties === undefined ? undefined : rules.parse(claim.properties, '/claim/properties')
  const known = properties && 'rules' in properties ? properties.rules : undefined
  const conditions = rubric.safeParse(claim.rubric ?? [])
  const violations = [
    ...strays,
    ...(properties && 'faults' in properties ? properties.faults : []),
    ...(conditions.success
      ? checkConditions(conditions.data, known, '/claim/rubric')
      : violationsOf(conditions.error, '/claim/rubric')),
  ]
  if (violations.length > 0 || !conditions.success) return { faults: violations }
  return { definition: { ...(known ? { properties: known } : {}), rubric: conditions.data } }
}

/** Returns every problem of the member `claim` of a Protocol. */
export const violationsOfDefinition = (
  claim: JsonValue,
  rules: ServiceOf<typeof propertyRules>,
): readonly Violation[] => {
  const parsed = parseClaimDefinition(claim, rules)
  return 'faults' in parsed ? parsed.faults : []
}
