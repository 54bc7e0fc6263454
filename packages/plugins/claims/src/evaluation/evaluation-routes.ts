import { defineRoute, type Route } from '@sibyl/plugin'
import { claimConfirmation, claimDetails, claimDispute, claimResolution } from '@sibyl/protocol'
import { callerOf, type Need } from '../access/caller.ts'
import type { Parties } from '../access/parties.ts'
import type { ClaimReader } from '../claims/claim-reader.ts'
import { claimParams } from '../claims/claim-routes.ts'
import { body, json, openTo, problem } from '../route-parts.ts'
import type { Evaluation } from './evaluate-claim.ts'
import type { Settlement } from './settle-claims.ts'

const evaluating: Need = { scope: 'write', ability: 'claims/evaluate' }
const disputing: Need = { scope: 'write', ability: 'claims/submit' }

const refusals = {
  400: problem('`input_invalid`'),
  403: problem('`claim_role_missing`, `scope_missing`'),
  404: problem('`claim_not_found`'),
  409: problem('`claim_state_conflict`'),
}

/** The routes below `/v1/claims/{id}` that take a claim on. */
export const evaluationRoutes = (parts: {
  readonly evaluation: Evaluation
  readonly settlement: Settlement
  readonly reader: ClaimReader
  readonly parties: Parties
}): Route[] => {
  const { evaluation, settlement, reader, parties } = parts
  return [
    defineRoute(
      openTo(evaluating.ability),
      {
        method: 'post',
        path: '/v1/claims/{id}/evaluate',
        summary: 'Evaluate a claim',
        description:
          'For evaluators of its collection. By rules it is decided at once; by the agent the claim is `evaluating` until it has judged; by a person, or where a person has to confirm, until `confirm`.',
        request: { params: claimParams },
        responses: {
          200: json('The claim, judged', claimDetails),
          202: json('The claim, while the agent judges it', claimDetails),
          ...refusals,
          503: problem('`model_not_configured`, `signing_key_missing`; the claim stays as it is'),
        },
      },
      async c => {
        const caller = callerOf(c.get('actor'), evaluating, parties)
        const { id } = c.req.valid('param')
        const { pending } = await evaluation.evaluate(id, caller, c.get('actor')!)
        const claim = await reader.details(id, caller)
        return pending ? c.json(claim, 202) : c.json(claim, 200)
      },
    ),
    defineRoute(
      openTo(evaluating.ability),
      {
        method: 'post',
        path: '/v1/claims/{id}/confirm',
        summary: 'Confirm or overrule a verdict',
        description: 'For evaluators of its collection.',
        request: { params: claimParams, body: body(claimConfirmation) },
        responses: {
          200: json('The claim', claimDetails),
          ...refusals,
          422: problem('`reason_missing`'),
          503: problem('`signing_key_missing`'),
        },
      },
      async c => {
        const caller = callerOf(c.get('actor'), evaluating, parties)
        const { id } = c.req.valid('param')
        await settlement.confirm(id, c.req.valid('json'), caller)
        return c.json(await reader.details(id, caller), 200)
      },
    ),
    defineRoute(
      openTo(disputing.ability),
      {
        method: 'post',
        path: '/v1/claims/{id}/dispute',
        summary: 'Dispute the decision about a claim',
        description: 'For its submitter, the controller of its asset and evaluators of its collection.',
        request: { params: claimParams, body: body(claimDispute) },
        responses: { 200: json('The claim', claimDetails), ...refusals },
      },
      async c => {
        const caller = callerOf(c.get('actor'), disputing, parties)
        const { id } = c.req.valid('param')
        await settlement.dispute(id, c.req.valid('json').reason, caller)
        return c.json(await reader.details(id, caller), 200)
      },
    ),
    defineRoute(
      openTo(evaluating.ability),
      {
        method: 'post',
        path: '/v1/claims/{id}/resolve',
        summary: 'End a dispute',
        description:
          'For the controller of its collection and its evaluators, but not for who decided, as long as there is anybody else. `uphold`: the decision stands. `invalidate`: it falls, and a credential that followed from it is revoked.',
        request: { params: claimParams, body: body(claimResolution) },
        responses: {
          200: json('The claim', claimDetails),
          ...refusals,
          503: problem('`credential_issuer_missing`'),
        },
      },
      async c => {
        const caller = callerOf(c.get('actor'), evaluating, parties)
        const { id } = c.req.valid('param')
        const { resolution, reason } = c.req.valid('json')
        await settlement.resolve(id, resolution, reason, caller)
        return c.json(await reader.details(id, caller), 200)
      },
    ),
  ]
}
