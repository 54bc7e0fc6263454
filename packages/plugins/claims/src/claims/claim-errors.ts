import { ToolFailure } from '@sibyl/plugin'
import type { ClaimState } from '@sibyl/protocol'
import { FaultyInput } from '../faulty-input.ts'

/** A claim that is submitted has faults. */
export class ClaimInvalid extends FaultyInput {
  override readonly code = 'claim_invalid'
}

/** The collection, or the asset in it, has all the claims that it takes. */
export class ClaimQuotaReached extends ToolFailure {
  override readonly code = 'claim_quota_reached'
  override readonly status = 409

  /** @param of whose quota it is */
  constructor(of: 'collection' | 'asset') {
    super(
      of === 'collection'
        ? 'The collection has taken all the claims of its quota.'
        : 'The collection has taken all the claims about this asset that its quota allows.',
    )
  }
}

/** What is asked for does not lead on from the claim's state. */
export class ClaimStateConflict extends ToolFailure {
  override readonly code = 'claim_state_conflict'
  override readonly status = 409

  /** @param state where it stands; missing where it changed at the same moment */
  constructor(action: string, state?: ClaimState | 'evaluating, with a verdict that waits for a person') {
    super(
      state === undefined
        ? `The claim changed at the same moment, so ${action} was not done. Read it again.`
        : `A claim that is ${state} does not take ${action}.`,
    )
  }
}

/** The caller has not the role that an action needs. */
export class ClaimRoleMissing extends ToolFailure {
  override readonly code = 'claim_role_missing'
  override readonly status = 403

  /** @param rule who may, as a sentence */
  constructor(rule: string) {
    super(rule)
  }
}
