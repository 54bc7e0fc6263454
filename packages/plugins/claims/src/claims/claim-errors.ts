import { ToolFailure } from '@sibyl/plugin'
import type { ClaimState } from '@sibyl/protocol'
import { FaultyInput } from '../faulty-input.ts'

/** A claim that is submitted has faults. */
export class ClaimInvalid extends FaultyInput {
  override readonly code = 'claim_invalid'
}

/** There is no such claim, or none that the caller may see. */
export class ClaimNotFound extends ToolFailure {
  override readonly code = 'claim_not_found'
  override readonly status = 404

  constructor() {
    super('There is no such claim among those that you may see.')
  }
}

/** The collection does not take claims from the caller, about that asset. */
export class SubmitterNotAllowed extends ToolFailure {
  override readonly code = 'submitter_not_allowed'
  override readonly status = 403

  constructor() {
    super(
      'The collection does not take this claim from you: only the controller of an asset, or whom the collection names, may claim.',
    )
  }
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

/** An `Idempotency-Key` came with another claim before. */
export class IdempotencyKeyReused extends ToolFailure {
  override readonly code = 'idempotency_key_reused'
  override readonly status = 422

  constructor() {
    super('This Idempotency-Key came with another claim before. Use a new one.')
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

/** A person decides otherwise than the verdict says, and gives no reason. */
export class ReasonMissing extends ToolFailure {
  override readonly code = 'reason_missing'
  override readonly status = 422

  constructor() {
    super('Give a reason: the decision is another than the verdict.')
  }
}

/** The claim is to be judged by the agent, and the oracle has no model that can. */
export class EvaluationModelMissing extends ToolFailure {
  override readonly code = 'model_not_configured'
  override readonly status = 503

  constructor() {
    super(
      'This claim is to be judged by the agent, and no language model is configured that can. It stays as it is. Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.',
    )
  }
}
