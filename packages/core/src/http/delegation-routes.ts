import { z } from '@hono/zod-openapi'
import { problem, type Route, type ShareOf } from '@sibyl/plugin'
import { type DelegationRecord, delegationRecord, delegationRequest, tokenHash } from '@sibyl/protocol'
import type { Context } from 'hono'
import { type KeptDelegation, maxDelegations } from '../auth/delegation-store.ts'
import type { Auth } from '../auth/make-auth.ts'
import type { CoreEnvironment } from './core-environment.ts'
import { coreRoute } from './core-route.ts'
import { type ProblemFacts, problemResponse } from './problem-response.ts'
import { authenticated } from './route-answers.ts'

const dropped = {
  200: {
    description: 'How many were dropped',
    content: { 'application/json': { schema: z.object({ dropped: z.int() }) } },
  },
  ...authenticated,
}

/**
 * `POST`, `GET` and `DELETE /delegation`: what a caller lets the oracle do for them at other services.
 *
 * @param oracleDid The did:key that the oracle signs with; nobody can be let in here without one.
 */
export const delegationRoutes = (
  auth: Auth,
  oracleDid: () => string | undefined,
  shareOf: ShareOf,
  now: () => number,
): Route[] => {
  const answer = (kept: KeptDelegation): DelegationRecord => ({
    hash: kept.hash,
    issuer: kept.issuer,
    audience: oracleDid() ?? '',
    capabilities: [...kept.capabilities],
    expiresAt: new Date(kept.expiresAt).toISOString(),
  })
  const drop = async (c: Context<CoreEnvironment>, hash?: string) => ({
    dropped: await auth.delegations.drop(c.get('actor')!.did, hash),
  })
  return [
    coreRoute(
      { ucan: 'delegation/keep' },
      {
        method: 'post',
        path: '/delegation',
        tags: ['Authentication'],
        summary: 'Let the oracle act for you at another service',
        description:
          "A UCAN to the oracle's did:key that you signed, or that begins with one of yours. It is kept until it " +
          `expires and used as a proof where a plugin acts for you; at most ${maxDelegations.ofHolder} are kept.`,
        request: { body: { required: true, content: { 'application/json': { schema: delegationRequest } } } },
        responses: {
          201: { description: 'Kept', content: { 'application/json': { schema: delegationRecord } } },
          400: problem('`delegation_invalid`, `input_invalid`'),
          401: authenticated[401],
          403: problem('Not allowed; `delegation_not_yours`'),
          409: problem('`delegations_full`'),
        },
      },
      async c => {
        const actor = c.get('actor')!
        const { did } = actor
        const { delegation: token } = c.req.valid('json')
        const verdict = await auth.authentication().verifier?.verifyDelegation(token, oracleDid() ?? '')
        if (!verdict?.ok) return problemResponse(c, invalid(verdict?.detail)) as never
        const { delegation } = verdict
        if (delegation.issuer !== did && !delegation.roots.includes(did)) return problemResponse(c, notYours) as never
        const share = shareOf(actor, maxDelegations.ofAll)
        const full = await auth.delegations.keep({ did, share, token, delegation, now: now() })
        if (full) return problemResponse(c, tooMany[full]) as never
        const { hash, issuer, capabilities, expiresAt } = delegation
        return c.json(answer({ hash, issuer, capabilities, createdAt: now(), expiresAt: expiresAt * 1000 }), 201)
      },
    ),
    coreRoute(
      { ucan: 'delegation/read' },
      {
        method: 'get',
        path: '/delegation',
        tags: ['Authentication'],
        summary: 'What you let the oracle do for you',
        responses: {
          200: {
            description: 'The delegations that are good now, without their tokens',
            content: { 'application/json': { schema: z.object({ delegations: z.array(delegationRecord) }) } },
          },
          ...authenticated,
        },
      },
      async c => {
        const kept = await auth.delegations.list(c.get('actor')!.did, now())
        return c.json({ delegations: kept.map(answer) }, 200)
      },
    ),
    coreRoute(
      { ucan: 'delegation/delete' },
      {
        method: 'delete',
        path: '/delegation',
        tags: ['Authentication'],
        summary: 'Drop all delegations that you gave to the oracle',
        responses: dropped,
      },
      async c => c.json(await drop(c), 200),
    ),
    coreRoute(
      { ucan: 'delegation/delete' },
      {
        method: 'delete',
        path: '/delegation/{hash}',
        tags: ['Authentication'],
        summary: 'Drop one delegation that you gave to the oracle',
        request: { params: z.object({ hash: tokenHash }) },
        responses: dropped,
      },
      async c => c.json(await drop(c, c.req.valid('param').hash), 200),
    ),
  ]
}

const invalid = (detail = 'No signing mnemonic is loaded.'): ProblemFacts => ({
  status: 400,
  code: 'delegation_invalid',
  title: 'The delegation does not hold',
  detail,
})

const notYours: ProblemFacts = {
  status: 403,
  code: 'delegation_not_yours',
  detail: 'The delegation is neither signed by you nor begins with a delegation of yours.',
}

const fullBy = (detail: string): ProblemFacts => ({ status: 409, code: 'delegations_full', detail })

const tooMany = {
  holder: fullBy(
    `The oracle keeps ${maxDelegations.ofHolder} of your delegations. Drop one first: DELETE /delegation/:hash.`,
  ),
  origin: fullBy('Your address has its share of the delegations already. Drop one first: DELETE /delegation/:hash.'),
  all: fullBy('The oracle keeps no more delegations. Ask the operator.'),
}
