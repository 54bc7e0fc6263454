import { defineErrors, defineToolFailures } from '@sibyl/plugin'

export const claimsErrors = defineErrors({
  verdict_unusable: { message: `The model's verdict cannot be used: {fault}.` },
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
      'This claim is to be judged by the agent, and no language model is configured that can. It stays as it is. Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.',
  },
  collection_not_found: { status: 404, message: 'There is no such collection. GET /v1/collections lists them.' },
  collection_controller_needed: { status: 403, message: 'Only its controller may change a collection.' },
  credential_issuer_missing: {
    status: 503,
    message: 'The credential of this claim cannot be revoked: the credentials plugin is not there. Switch it on.',
  },
  cursor_invalid: { status: 400, message: 'The cursor does not belong to this query. Begin again without one.' },
})
