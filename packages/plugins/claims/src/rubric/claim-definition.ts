import {
  type Fault,
  type JsonValue,
  jsonPointer,
  type PropertyRuleMap,
  type PropertyRules,
  type RubricCondition,
  rubricCondition,
} from '@sibyl/protocol'
import { z } from 'zod'
import { fault, faultsOf } from '../definitions/claims-errors.ts'
import { checkConditions } from './check-conditions.ts'

/** Rules of a protocol version for claims about its entities. */
export interface ClaimDefinition {
  /** Rules of their data; undefined: any data. */
  readonly properties?: PropertyRuleMap
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
  rules: PropertyRules,
): { readonly definition: ClaimDefinition } | { readonly faults: readonly Fault[] } => {
  if (claim === undefined) return { definition: { rubric: [] } }
  if (typeof claim !== 'object' || claim === null || Array.isArray(claim)) {
    return { faults: [fault('/claim', 'wrong_type', 'Must be an object with properties and a rubric.')] }
  }
  const strays = Object.keys(claim)
    .filter(name => name !== 'properties' && name !== 'rubric')
    .map(name =>
      fault(jsonPointer('/claim', name.slice(0, 64)), 'unknown_member', 'Unknown member. Use properties and rubric.'),
    )
  const properties = claim.properties === undefined ? undefined : rules.parse(claim.properties, '/claim/properties')
  const known = properties && 'rules' in properties ? properties.rules : undefined
  const conditions = rubric.safeParse(claim.rubric ?? [])
  const faults = [
    ...strays,
    ...(properties && 'faults' in properties ? properties.faults : []),
    ...(conditions.success
      ? checkConditions(conditions.data, known, '/claim/rubric')
      : faultsOf(conditions.error, '/claim/rubric')),
  ]
  if (faults.length > 0 || !conditions.success) return { faults }
  return { definition: { ...(known ? { properties: known } : {}), rubric: conditions.data } }
}

/** Returns every problem of the member `claim` of a Protocol. */
export const faultsOfDefinition = (claim: JsonValue, rules: PropertyRules): readonly Fault[] => {
  const parsed = parseClaimDefinition(claim, rules)
  return 'faults' in parsed ? parsed.faults : []
}
