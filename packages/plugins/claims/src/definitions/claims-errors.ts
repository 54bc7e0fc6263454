import { defineErrors, defineToolFailures, type ToolFailure } from '@sibyl/plugin'
import { type ClaimState, type Fault, jsonPointer } from '@sibyl/protocol'
import type { z } from 'zod'

export const claimsErrors = defineErrors({
  verdict_unusable: {
    message: `The model's verdict cannot be used: {fault}.`,
    summary: 'The answer of the model that judged a claim is not a verdict; the model is asked again.',
  },
})

export const claimsFailures = defineToolFailures({
  scope_missing: { status: 403, message: 'This caller does not hold the scope {scope}.' },
  collection_maker_not_allowed: {
    status: 403,
    message:
      'Only the oracle and its controllers make collections, and those to whom one of them gave the ability claims/manage: the oracle signs what collections approve.',
  },
  claim_not_found: { status: 404, message: 'There is no such claim among those that you may see.' },
  submitter_not_allowed: {
    status: 403,
    message:
      'The collection does not take this claim from you: only the controller of an asset, or whom the collection names, may claim.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key came with another claim before. Use a new one.',
  },
  reason_missing: { status: 422, message: 'Give a reason: the decision is another than the verdict.' },
  model_not_configured: {
    status: 503,
    message:
      'This claim is to be judged by the agent, and no language model is configured that can. It stays as it is. Set OPENAI_API_KEY, or OPENAI_BASE_URL for your own server.',
  },
  collection_not_found: { status: 404, message: 'There is no such collection. GET /v1/collections lists them.' },
  collection_controller_needed: { status: 403, message: 'Only its controller may change a collection.' },
  credential_issuer_missing: {
    status: 503,
    message: 'The credential of this claim cannot be revoked: the credentials plugin is not there. Switch it on.',
  },
  claim_invalid: {
    status: 422,
    message: '{what} is not valid. {faults}',
    summary: 'A claim does not fit its collection, asset or protocol; `issues` lists each problem with its path.',
  },
  collection_invalid: {
    status: 422,
    message: '{what} is not valid. {faults}',
    summary: 'A collection is invalid; `issues` lists each problem with its path.',
  },
  claim_quota_reached: { status: 409, message: 'The collection has taken all the claims of its quota.' },
  asset_quota_reached: {
    code: 'claim_quota_reached',
    status: 409,
    message: 'The collection has taken all the claims about this asset that its quota allows.',
  },
  claim_state_conflict: {
    status: 409,
    message: 'A claim that is {state} does not take {action}.',
    summary: 'The request does not fit the state of the claim, or the claim changed at the same time.',
  },
  claim_changed: {
    code: 'claim_state_conflict',
    status: 409,
    message: 'The claim changed at the same moment, so {action} was not done. Read it again.',
  },
  claim_role_missing: {
    status: 403,
    message: '{rule}',
    summary: 'The caller may not do this with the claim; `detail` says who may.',
  },
})

/** Creates `claim_state_conflict`: an action does not follow the state. @param state Missing where it has just changed. */
export const stateConflict = (action: string, state?: ClaimState | typeof waitingForPerson): ToolFailure =>
  state === undefined
    ? claimsFailures.claim_changed({ action })
    : claimsFailures.claim_state_conflict({ state, action })

/** State of a claim whose verdict nobody has confirmed, as `stateConflict` says it. */
export const waitingForPerson = 'evaluating, with a verdict that waits for a person'

/** Creates the error of an input with faults, all of them at once. @param what The beginning of "… is not valid". */
export const invalidInput = (
  code: 'claim_invalid' | 'collection_invalid',
  what: string,
  faults: readonly Fault[],
): ToolFailure => {
  const told = faults.slice(0, 5).map(({ path, message }) => `${path}: ${message}`)
  const more = faults.length > 5 ? [`And ${faults.length - 5} more.`] : []
  return claimsFailures[code]({ what, faults: [...told, ...more].join(' ') }, { issues: faults, facts: {} })
}

/** Creates the fault of a body. @param path An RFC 6901 JSON Pointer. @param code `wrong_type`, `unknown_property`, … */
export const fault = (path: string, code: string, message: string): Fault => ({ path, code, message })

/** Returns the faults of text that did not fit a schema. @param path Where the text is. */
export const faultsOf = ({ issues }: Pick<z.ZodError, 'issues'>, path: string): readonly Fault[] =>
  issues.slice(0, mostFaults).map(issue => {
    const place = issue.path.reduce<string>((sofar, key) => jsonPointer(sofar, String(key)), path)
    return fault(place, codes.get(issue.code) ?? 'value_invalid', issue.message)
  })

const mostFaults = 100

const codes = new Map([
  ['invalid_type', 'wrong_type'],
  ['unrecognized_keys', 'unknown_member'],
])
