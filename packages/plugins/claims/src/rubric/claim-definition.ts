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

/** What a version of a protocol says of claims about its entities. */
export interface ClaimDefinition {
  /** What their data must be; undefined: any. */
  readonly properties?: PropertyRuleMap
  /** All must be met. */
  readonly rubric: readonly RubricCondition[]
}

const rubric = z.array(rubricCondition).max(100)

/**
 * Reads the member `claim` of a Protocol: `{ properties: { name: rule }, rubric: [condition] }`, both optional. Pure.
 *
 * @param claim as it was posted; undefined where the protocol says nothing of claims
 * @param rules reads the properties, as those of protocols are read
 * @returns the definition, or every fault of it with paths such as `/claim/rubric/0/operator`
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
    .map(name => fault(jsonPointer('/claim', name.slice(0, 64)), 'unknown_member', 'Is neither properties nor rubric.'))
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

/** Every fault of the member `claim` of a Protocol. */
export const faultsOfDefinition = (claim: JsonValue, rules: PropertyRules): readonly Fault[] => {
  const parsed = parseClaimDefinition(claim, rules)
  return 'faults' in parsed ? parsed.faults : []
}
