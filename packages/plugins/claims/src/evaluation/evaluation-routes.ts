import { type Route, route } from '@sibyl/plugin'
import { callerOf, type Need, openTo } from '../access/caller.ts'
import type { Parties } from '../access/parties.ts'
import type { ClaimReader } from '../claims/claim-reader.ts'
import { claimParams } from '../claims/claim-routes.ts'
import { claimsFailures } from '../definitions/claims-errors.ts'
import { claimConfirmation, claimDetails, claimDispute, claimResolution } from '../records/claim-records.ts'
import type { ClaimDecisions } from './claim-decisions.ts'
import type { Evaluation } from './evaluate-claim.ts'

const evaluating: Need = { scope: 'write', ability: 'claims/evaluate' }
const disputing: Need = { scope: 'write', ability: 'claims/submit' }

/** Creates the routes below `/v1/claims/{id}` that evaluate and settle a claim. */
export const evaluationRoutes = (parts: {
  readonly evaluation: Evaluation
  readonly decisions: ClaimDecisions
  readonly reader: ClaimReader
  readonly parties: Parties
}): Route[] => {
  const { evaluation, decisions, reader, parties } = parts
  return [
    route.post(
      '/v1/claims/{id}/evaluate',
      {
        auth: openTo(evaluating.ability),
        summary: 'Evaluate a claim',
        description:
          'For evaluators of its collection. Rules decide at once. While the agent judges, the claim is `evaluating`. If a person judges or has to confirm, it is `evaluating` until `confirm`.',
        params: claimParams,
        ok: {
          200: { description: 'The claim with its verdict', schema: claimDetails },
          202: { description: 'The claim, while the agent judges it', schema: claimDetails },
        },
        errors: [
          claimsFailures.claim_role_missing,
          claimsFailures.scope_missing,
          claimsFailures.claim_not_found,
          claimsFailures.claim_state_conflict,
          claimsFailures.model_not_configured,
          { code: 'signing_key_missing', status: 503 },
        ],
      },
      async c => {
        const caller = callerOf(c.get('actor'), evaluating, parties)
        const { id } = c.req.valid('param')
        const { pending } = await evaluation.evaluate(id, caller, c.get('actor'))
        const claim = await reader.details(id, caller)
        return pending ? c.json(claim, 202) : c.json(claim, 200)
      },
    ),
    route.post(
      '/v1/claims/{id}/confirm',
      {
        auth: openTo(evaluating.ability),
        summary: 'Confirm or overrule a verdict',
        description: 'For evaluators of its collection.',
        params: claimParams,
        body: claimConfirmation,
        ok: { 200: { description: 'The claim', schema: claimDetails } },
        errors: [
          claimsFailures.claim_role_missing,
          claimsFailures.scope_missing,
          claimsFailures.claim_not_found,
          claimsFailures.claim_state_conflict,
          claimsFailures.reason_missing,
          { code: 'signing_key_missing', status: 503 },
        ],
      },
      async c => {
        const caller = callerOf(c.get('actor'), evaluating, parties)
        const { id } = c.req.valid('param')
        await decisions.confirm(id, c.req.valid('json'), caller)
        return c.json(await reader.details(id, caller), 200)
      },
    ),
    route.post(
      '/v1/claims/{id}/dispute',
      {
        auth: openTo(disputing.ability),
        summary: 'Dispute the decision about a claim',
        description: 'For its submitter, the controller of its asset and evaluators of its collection.',
        params: claimParams,
        body: claimDispute,
        ok: { 200: { description: 'The claim', schema: claimDetails } },
        errors: [
          claimsFailures.claim_role_missing,
          claimsFailures.scope_missing,
          claimsFailures.claim_not_found,
          claimsFailures.claim_state_conflict,
        ],
      },
      async c => {
        const caller = callerOf(c.get('actor'), disputing, parties)
        const { id } = c.req.valid('param')
        await decisions.dispute(id, c.req.valid('json').reason, caller)
        return c.json(await reader.details(id, caller), 200)
      },
    ),
    route.post(
      '/v1/claims/{id}/resolve',
      {
        auth: openTo(evaluating.ability),
        summary: 'End a dispute',
        description:
          'For the controller of its collection and its evaluators, except the party that decided if there is another one. `uphold` keeps the decision. `invalidate` cancels it and revokes the credential that was issued for it.',
        params: claimParams,
        body: claimResolution,
        ok: { 200: { description: 'The claim', schema: claimDetails } },
        errors: [
          claimsFailures.claim_role_missing,
          claimsFailures.scope_missing,
          claimsFailures.claim_not_found,
          claimsFailures.claim_state_conflict,
          claimsFailures.credential_issuer_missing,
        ],
      },
      async c => {
        const caller = callerOf(c.get('actor'), evaluating, parties)
        const { id } = c.req.valid('param')
        const { resolution, reason } = c.req.valid('json')
        await decisions.resolve(id, resolution, reason, caller)
        return c.json(await reader.details(id, caller), 200)
      },
    ),
  ]
}
