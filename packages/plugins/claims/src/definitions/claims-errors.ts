import { defineErrors, defineToolFailures, type ToolFailure } from '@sibyl/plugin'
import { jsonPointer, type Violation } from '@sibyl/protocol'
import type { z } from 'zod'
import type { ClaimState } from '../records/claim-records.ts'

export const claimsErrors = defineErrors({
  verdict_unusable: {
    message: `The model's verdict is invalid: {problem}.`,
    summary: 'The model that judged a claim returned an invalid verdict. The model is called again.',
  },
})

export const claimsFailures = defineToolFailures({
  scope_missing: {
    status: 403,
    message: 'The caller does not have the scope {scope}. Use a key or a delegation with this scope.',
  },
  collection_maker_not_allowed: {
    status: 403,
    message:
      'The caller may not create collections, because the oracle signs what they approve. Use a key of the oracle or of a controller, or a delegation with claims/manage from one of them.',
  },
  claim_not_found: {
    status: 404,
    message: 'The claim is unknown, or you may not see it. GET /v1/claims lists the claims that you may see.',
  },
  submitter_not_allowed: {
    status: 403,
    message:
      "The collection does not accept this claim from you. Only the asset's controller or the collection's submitters may submit it.",
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another claim. Use a new key.',
  },
  reason_missing: { status: 422, message: 'Your decision differs from the verdict. Give a reason.' },
  model_not_configured: {
    status: 503,
    message:
      'The agent must judge this claim, but no suitable language model is configured. The claim is unchanged. Set OPENAI_API_KEY, or OPENAI_BASE_URL for your own server.',
  },
  collection_not_found: {
    status: 404,
    message: 'The collection is unknown. GET /v1/collections lists the collections.',
  },
  collection_controller_needed: { status: 403, message: 'Only the controller of a collection may change it.' },
  credential_issuer_missing: {
    status: 503,
    message: 'The credential of this claim cannot be revoked because the credentials plugin is not enabled. Enable it.',
  },
  claim_invalid: {
    status: 422,
    message: '{what} is invalid. {problems}',
    summary: 'A claim does not fit its collection, asset or protocol; `issues` lists each problem with its path.',
  },
  collection_invalid: {
    status: 422,
    message: '{what} is invalid. {problems}',
    summary: 'A collection is invalid; `issues` lists each problem with its path.',
  },
  claim_quota_reached: { status: 409, message: 'The quota of the collection is used up.' },
  asset_quota_reached: {
    code: 'claim_quota_reached',
    status: 409,
    message: 'The quota of the collection for this asset is used up.',
  },
  claim_space_full: {
    status: 507,
    message:
      'Nothing was stored: the space for claims that anyone may submit is full. Ask the operator to raise CLAIMS_TOTAL_MB.',
    summary: 'The caller, its network or all callers have used the space for claims that anyone may submit.',
  },
  claim_space_full_of_holder: {
    code: 'claim_space_full',
    status: 507,
    message: 'Nothing was stored: you have used your space for claims that anyone may submit.',
  },
  claim_space_full_of_origin: {
    code: 'claim_space_full',
    status: 507,
    message: 'Nothing was stored: your network has used its share of the space for claims that anyone may submit.',
  },
  claim_state_conflict: {
    status: 409,
    message: 'The claim is {state}; {action} is not possible in this state.',
    summary: 'The request does not fit the state of the claim, or the claim changed at the same time.',
  },
  claim_changed: {
    code: 'claim_state_conflict',
    status: 409,
    message: 'The claim changed at the same time, so {action} was not applied. Read the claim and try again.',
  },
  claim_role_missing: {
    status: 403,
    message: '{rule}',
    summary: 'The caller may not do this with the claim; `detail` says who may.',
  },
})

/** Creates `claim_state_conflict`. @param state Missing if it has just changed. */
export const stateConflict = (action: string, state?: ClaimState | typeof waitingForPerson): ToolFailure =>
  state === undefined
    ? claimsFailures.claim_changed({ action })
    : claimsFailures.claim_state_conflict({ state, action })

/** State, for `stateConflict`, of a claim whose verdict needs confirmation. */
export const waitingForPerson = 'evaluating, and a person has to confirm its verdict'

/** Creates the error of an invalid input, with all its problems. @param what The subject of "… is invalid". */
export const invalidInput = (
  code: 'claim_invalid' | 'collection_invalid',
  what: string,
  violations: readonly Violation[],
): ToolFailure => {
  const shown = violations.slice(0, 5).map(({ path, message }) => `${path}: ${message}`)
  const more = violations.length > 5 ? [`And ${violations.length - 5} more.`] : []
  return claimsFailures[code]({ what, problems: [...shown, ...more].join(' ') }, { issues: violations, facts: {} })
}

/**
 * Creates a problem of a request body. @param path An RFC 6901 JSON Pointer. @param code `wrong_type`,
 * `unknown_property`, …
 */
export const violation = (path: string, code: string, message: string): Violation => ({ path, code, message })

/** Returns the problems of a value that does not match a schema. @param path JSON Pointer of the value. */
export const violationsOf = ({ issues }: Pick<z.ZodError, 'issues'>, path: string): readonly Violation[] =>
  issues.slice(0, maxViolations).map(issue => {
    const place = jsonPointer(path, ...issue.path)
    return violation(place, codes.get(issue.code) ?? 'value_invalid', issue.message)
  })

const maxViolations = 100

const codes = new Map([
  ['invalid_type', 'wrong_type'],
  ['unrecognized_keys', 'unknown_member'],
])
