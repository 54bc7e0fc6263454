import { z } from '@hono/zod-openapi'
import type { Route, ShareOf } from '@sibyl/plugin'
import { authSchemas, didText, normalDid } from '@sibyl/protocol'
import { maxGrants } from '../auth/grant-store.ts'
import type { Auth } from '../auth/make-auth.ts'
import { skewSeconds } from '../auth/make-authentication.ts'
import { coreErrors } from '../errors/core-errors.ts'
import { coreRoute } from './core-route.ts'
import { foreignDelegation, invalidDelegation } from './delegation-routes.ts'
import { type ProblemFacts, problemResponse } from './problem-response.ts'

/** `POST`, `GET` and `DELETE /grants`: delegations of access to this oracle, recorded for a list. */
export const grantRoutes = (auth: Auth, shareOf: ShareOf, now: () => number): Route[] => [
  coreRoute.post(
    '/grants',
    {
      auth: { ucan: 'delegation/keep' },
      tags: ['Authentication'],
      summary: 'Record a delegation of access to this oracle, for the list of grants',
      description:
        'The oracle accepts a delegation also without a record. `npx sibyl token grant` records each one that it signs; a program that ' +
        `signs its own posts them here. A holder who is not a controller has at most ${maxGrants.ofHolder} records.`,
      body: authSchemas.grantRequest,
      ok: { 201: { description: 'Recorded', schema: authSchemas.grantRecord } },
      errors: [
        { code: 'delegation_invalid', status: 400 },
        { code: 'delegation_not_yours', status: 403 },
        { code: 'delegations_full', status: 409 },
        { code: 'signing_key_missing', status: 503 },
      ],
    },
    async c => {
      const actor = c.get('actor')
      const { delegation: token, audience, name } = c.req.valid('json')
      const { verifier, resources } = auth.authentication()
      if (!verifier) throw coreErrors.signing_key_missing()
      const verdict = await verifier.verifyDelegation(token, audience)
      if (!verdict.ok) return problemResponse(c, invalidDelegation(verdict.detail))
      const { delegation } = verdict
      const { issuer, roots, hash } = delegation
      const abilities = delegation.capabilities
        .filter(({ resource }) => resources.includes(resource))
        .map(({ ability }) => ability)
      if (abilities.length === 0) return problemResponse(c, invalidDelegation('It grants nothing on this oracle.'))
      if (!roots.every(auth.isTrusted))
        return problemResponse(
          c,
          invalidDelegation('Its chain does not start with the oracle or one of its controllers.'),
        )
      if (![issuer, ...roots].includes(actor.did)) return problemResponse(c, foreignDelegation)
      const share = auth.isTrusted(actor.did) ? undefined : shareOf(actor, maxGrants.ofAll)
      if (await auth.grants.record({ delegation, abilities, name, share, now: now() })) return problemResponse(c, full)
      const recorded = await auth.grants.find(hash, now())
      return recorded ? c.json(recorded, 201) : problemResponse(c, invalidDelegation('The delegation expired.'))
    },
  ),
  coreRoute.get(
    '/grants',
    {
      auth: { ucan: 'delegation/read', orOperator: true },
      tags: ['Authentication'],
      summary: 'List the recorded grants that you made or have; as the operator, all',
      description:
        'Those that are valid, ordered by hash, without tokens. The next page is after the last hash of this one.',
      query: z.object({
        limit: z.coerce.number().int().min(1).max(1000).default(100),
        after: authSchemas.grantRecord.shape.hash.optional(),
        did: didText
          .overwrite(normalDid)
          .optional()
          .meta({ description: 'As the operator: only those that this DID has' }),
      }),
      ok: { 200: { description: 'The grants', schema: authSchemas.grantList } },
    },
    async c => {
      const { did: audience, ...page } = c.req.valid('query')
      const { via, did } = c.get('actor')
      const whose = via === 'operator' ? { audience } : { party: did }
      return c.json({ grants: await auth.grants.list({ ...page, ...whose, now: now() }) }, 200)
    },
  ),
  coreRoute.delete(
    '/grants/{hash}',
    {
      auth: { ucan: 'delegation/delete', orOperator: true },
      tags: ['Authentication'],
      summary: 'Revoke a recorded grant that you made; as the operator, any',
      description: 'It ends at once, in every process, with everything that depends on it.',
      params: z.object({ hash: authSchemas.grantRecord.shape.hash }),
      ok: { 204: { description: 'Revoked' } },
      errors: [{ code: 'grant_not_found', status: 404 }],
    },
    async c => {
      const { via, did } = c.get('actor')
      const { hash } = c.req.valid('param')
      const grant = await auth.grants.find(hash, now())
      const mayRevoke = grant && (via === 'operator' || grant.issuer === did || grant.root === did)
      if (!mayRevoke) return problemResponse(c, notFound)
      const expiresAt = Date.parse(grant.expiresAt) + skewSeconds * 1000
      const revokedBy = via === 'operator' ? 'operator' : did
      await auth.revocations.revoke({ hash, revokedBy, revokedAt: now(), expiresAt })
      return c.body(null, 204)
    },
  ),
]

const full: ProblemFacts = {
  status: 409,
  code: 'delegations_full',
  detail: 'You have recorded the maximum number of grants. Revoke one: DELETE /grants/:hash.',
}

const notFound: ProblemFacts = {
  status: 404,
  code: 'grant_not_found',
  detail: 'You made no recorded grant with this hash. GET /grants lists yours.',
}
