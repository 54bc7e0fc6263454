import { z } from '@hono/zod-openapi'
import { MAX_DELEGATION_LIFETIME_SECONDS } from '@sibyl/identity'
import type { Route, ShareOf } from '@sibyl/plugin'
import type { OriginOf } from '@sibyl/plugin/host'
import { authSchemas } from '@sibyl/protocol'
import type { Auth } from '../auth/make-auth.ts'
import { skewSeconds } from '../auth/make-authentication.ts'
import { maxRevocations, type RevocationRow } from '../auth/revocation-store.ts'
import { coreErrors } from '../errors/core-errors.ts'
import { coreRoute } from './core-route.ts'
import { type ProblemFacts, problemResponse } from './problem-response.ts'

const answered = { description: 'Revoked', schema: authSchemas.revocationRecord }

/** Maximum lifetime of an accepted token, in milliseconds. */
const longestLifeMs = MAX_DELEGATION_LIFETIME_SECONDS * 1000

/** `POST /revocations` for issuers, `PUT /revocations/:hash` and `GET /revocations` for the operator. */
export const revocationRoutes = (
  auth: Auth,
  limits: { readonly shareOf: ShareOf; readonly originOf: OriginOf },
  now: () => number,
): Route[] => {
  /** Returns the row, stored as long as the token could be accepted. */
  const rowOf = (hash: string, revokedBy: string, expiresAt: number): RevocationRow => ({
    hash,
    revokedBy,
    revokedAt: now(),
    expiresAt: Math.min(expiresAt, now() + longestLifeMs) + skewSeconds * 1000,
  })
  return [
    coreRoute.post(
      '/revocations',
      {
        auth: 'public',
        tags: ['Authentication'],
        summary: 'Revoke a UCAN that you issued, or whose chain includes one of yours',
        description:
          'The statement is signed, so the request needs no invocation. Afterwards the oracle rejects every token whose chain has the ' +
          'revoked one in it, removes the bearers that were exchanged for such a token, and stops work that runs ' +
          'later under it. You can revoke only a chain that this oracle could accept: it grants something on this ' +
          'oracle, or is a part of a stored delegation. The oracle and its controllers may revoke any ' +
          'number; a holder may have at most 200 in the list, and an address its share of it.',
        body: authSchemas.revocationRequest,
        // A token and its proofs; anyone may send one.
        maxBodyBytes: 200_000,
        ok: { 200: answered },
        errors: [
          { code: 'revocation_invalid', status: 400 },
          { code: 'revocations_full', status: 503 },
          { code: 'signing_key_missing', status: 503 },
        ],
      },
      async c => {
        const { token, ...statement } = c.req.valid('json')
        const { verifier, resources } = auth.authentication()
        if (!verifier) throw coreErrors.signing_key_missing()
        const verdict = await verifier.verifyRevocation(statement, token, resources)
        if (!verdict.ok) return problemResponse(c, invalid(verdict.detail))
        const { hash, holder = statement.iss } = verdict
        const row = rowOf(hash, statement.iss, verdict.expiresAt * 1000)
        // Expired tokens are rejected anyway.
        if (row.expiresAt <= now()) return c.json(recordOf(row), 200)
        if (verdict.holder === undefined && !(await auth.delegations.restsOn(hash))) {
          return problemResponse(c, notOurs)
        }
        const origin = limits.originOf(c.get('clientAddress'))
        const counted = { did: holder, via: 'ucan' as const, origin }
        const share = auth.isTrusted(statement.iss) ? undefined : limits.shareOf(counted, maxRevocations)
        const kept = await auth.revocations.revoke(row, share)
        return kept ? c.json(recordOf(row), 200) : problemResponse(c, full)
      },
    ),
    coreRoute.put(
      '/revocations/{hash}',
      {
        auth: 'operator',
        tags: ['Authentication'],
        summary: 'Revoke any UCAN by the hash of its signed bytes',
        params: z.object({ hash: authSchemas.revocationRecord.shape.hash }),
        ok: { 200: answered },
      },
      async c => {
        const row = rowOf(c.req.valid('param').hash, 'operator', now() + longestLifeMs)
        await auth.revocations.revoke(row)
        return c.json(recordOf(row), 200)
      },
    ),
    coreRoute.get(
      '/revocations',
      {
        auth: 'operator',
        tags: ['Authentication'],
        summary: 'List the revoked UCANs, ordered by hash',
        query: z.object({
          limit: z.coerce.number().int().min(1).max(1000).default(100),
          after: authSchemas.revocationRecord.shape.hash.optional(),
        }),
        ok: {
          200: {
            description: 'The revocations',
            schema: z.object({ revocations: z.array(authSchemas.revocationRecord) }),
          },
        },
      },
      async c => {
        const { limit, after } = c.req.valid('query')
        const rows = await auth.revocations.list(limit, after)
        return c.json({ revocations: rows.map(recordOf) }, 200)
      },
    ),
  ]
}

const recordOf = ({
  hash,
  revokedBy,
  revokedAt,
  expiresAt,
}: RevocationRow): z.infer<typeof authSchemas.revocationRecord> => ({
  hash,
  revokedBy,
  revokedAt: new Date(revokedAt).toISOString(),
  keptUntil: new Date(expiresAt).toISOString(),
})

const invalid = (detail: string): ProblemFacts => ({
  status: 400,
  code: 'revocation_invalid',
  title: 'The revocation is invalid',
  detail,
})

const notOurs: ProblemFacts = invalid(
  'The token grants nothing on this oracle, its chain does not start with a DID that may grant it, and no stored delegation ' +
    'depends on it.',
)

const full: ProblemFacts = {
  status: 503,
  code: 'revocations_full',
  detail: 'You have revoked the maximum number of tokens, or the list is full. Ask the operator to revoke the token.',
}
