import { z } from '@hono/zod-openapi'
import { isoTime, type Route, type ShareOf } from '@sibyl/plugin'
import { authSchemas } from '@sibyl/protocol'
import { type KeptDelegation, maxDelegationLength, maxDelegations } from '../auth/delegation-store.ts'
import type { Auth } from '../auth/make-auth.ts'
import { coreRoute } from './core-route.ts'
import { type ProblemFacts, problemResponse } from './problem-response.ts'

/** The body of `POST /delegation`. */
const delegationRequest = z.strictObject({
  /** The UCAN, addressed to the oracle's did:key. */
  delegation: z.string().max(maxDelegationLength, `at most ${maxDelegationLength} characters`),
})

const dropped = { 200: { description: 'The number of removed delegations', schema: z.object({ dropped: z.int() }) } }

/**
 * `POST`, `GET` and `DELETE /delegation`: delegations of a caller to the oracle for other services.
 *
 * @param oracleDid The did:key of the signing key, without which there are no delegations.
 */
export const delegationRoutes = (
  auth: Auth,
  oracleDid: () => string | undefined,
  shareOf: ShareOf,
  now: () => number,
): Route[] => {
  const answer = (kept: KeptDelegation): z.infer<typeof authSchemas.delegationRecord> => ({
    hash: kept.hash,
    issuer: kept.issuer,
    audience: oracleDid() ?? '',
    capabilities: kept.capabilities,
    expiresAt: kept.expiresAt,
  })
  const drop = async (holder: string, hash?: string) => ({ dropped: await auth.delegations.drop(holder, hash) })
  return [
    coreRoute.post(
      '/delegation',
      {
        auth: { ucan: 'delegation/keep' },
        tags: ['Authentication'],
        summary: 'Delegate to the oracle, so that it can act for you at another service',
        description:
          "A UCAN for the oracle's did:key that you signed, or whose chain starts with one of yours. The oracle stores it until it " +
          `expires, and uses it as a proof when a plugin acts for you; at most ${maxDelegations.ofHolder} are stored.`,
        body: delegationRequest,
        ok: { 201: { description: 'Kept', schema: authSchemas.delegationRecord } },
        errors: [
          { code: 'delegation_invalid', status: 400 },
          { code: 'delegation_not_yours', status: 403 },
          { code: 'delegations_full', status: 409 },
        ],
      },
      async c => {
        const actor = c.get('actor')
        const { did } = actor
        const { delegation: token } = c.req.valid('json')
        const verdict = await auth.authentication().verifier?.verifyDelegation(token, oracleDid() ?? '')
        if (!verdict?.ok) return problemResponse(c, invalidDelegation(verdict?.detail))
        const { delegation } = verdict
        if (delegation.issuer !== did && !delegation.roots.includes(did)) return problemResponse(c, foreignDelegation)
        const share = shareOf(actor, maxDelegations.ofAll)
        const full = await auth.delegations.keep({ did, share, token, delegation, now: now() })
        if (full) return problemResponse(c, tooMany[full])
        const { hash, issuer, capabilities, expiresAt } = delegation
        return c.json(
          answer({ hash, issuer, capabilities: [...capabilities], expiresAt: isoTime(expiresAt * 1000) }),
          201,
        )
      },
    ),
    coreRoute.get(
      '/delegation',
      {
        auth: { ucan: 'delegation/read' },
        tags: ['Authentication'],
        summary: 'List your delegations to the oracle',
        ok: {
          200: {
            description: 'The valid delegations, without their tokens',
            schema: z.object({ delegations: z.array(authSchemas.delegationRecord) }),
          },
        },
      },
      async c => {
        const kept = await auth.delegations.list(c.get('actor').did, now())
        return c.json({ delegations: kept.map(answer) }, 200)
      },
    ),
    coreRoute.delete(
      '/delegation',
      {
        auth: { ucan: 'delegation/delete' },
        tags: ['Authentication'],
        summary: 'Remove all your delegations to the oracle',
        ok: dropped,
      },
      async c => c.json(await drop(c.get('actor').did), 200),
    ),
    coreRoute.delete(
      '/delegation/{hash}',
      {
        auth: { ucan: 'delegation/delete' },
        tags: ['Authentication'],
        summary: 'Remove one of your delegations to the oracle',
        params: z.object({ hash: authSchemas.delegationRecord.shape.hash }),
        ok: dropped,
      },
      async c => c.json(await drop(c.get('actor').did, c.req.valid('param').hash), 200),
    ),
  ]
}

export const invalidDelegation = (detail = 'No signing mnemonic is loaded.'): ProblemFacts => ({
  status: 400,
  code: 'delegation_invalid',
  title: 'The delegation is invalid',
  detail,
})

export const foreignDelegation: ProblemFacts = {
  status: 403,
  code: 'delegation_not_yours',
  detail: 'The delegation is not signed by you, and its chain does not start with a delegation of yours.',
}

const fullBy = (detail: string): ProblemFacts => ({ status: 409, code: 'delegations_full', detail })

const tooMany = {
  holder: fullBy(
    `The oracle already stores ${maxDelegations.ofHolder} of your delegations. Remove one first: DELETE /delegation/:hash.`,
  ),
  origin: fullBy('Your address has reached its share of delegations. Remove one first: DELETE /delegation/:hash.'),
  all: fullBy("The oracle's store of delegations is full. Ask the operator."),
}
