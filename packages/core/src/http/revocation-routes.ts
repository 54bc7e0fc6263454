import { z } from '@hono/zod-openapi'
import { MAX_DELEGATION_LIFETIME_SECONDS, verifyRevocation } from '@sibyl/identity'
import { type RevocationRecord, revocationRecord, revocationRequest, tokenHash } from '@sibyl/protocol'
import type { Auth } from '../auth/make-auth.ts'
import { skewSeconds } from '../auth/make-authentication.ts'
import type { RevocationRow } from '../auth/revocation-store.ts'
import { defineRoute, type Route } from '../plugins/route.ts'
import { type ProblemFacts, problemResponse } from './problem-response.ts'
import { authenticated, problem } from './route-answers.ts'

const answered = { description: 'Revoked', content: { 'application/json': { schema: revocationRecord } } }

/** No accepted token lives longer than this, in milliseconds. */
const longestLifeMs = MAX_DELEGATION_LIFETIME_SECONDS * 1000

/** `POST /revocations` for issuers, `PUT /revocations/:hash` and `GET /revocations` for the operator. */
export const revocationRoutes = (auth: Auth, now: () => number): Route[] => {
  /** Kept for as long as the token could be accepted. */
  const rowOf = (hash: string, revokedBy: string, expiresAt: number): RevocationRow => ({
    hash,
    revokedBy,
    revokedAt: now(),
    expiresAt: Math.min(expiresAt, now() + longestLifeMs) + skewSeconds * 1000,
  })
  return [
    defineRoute(
      'public',
      {
        method: 'post',
        path: '/revocations',
        tags: ['Authentication'],
        summary: 'Revoke a UCAN that you issued, or that rests on one of yours',
        description:
          'The statement is signed, so the request needs no invocation. From then on every token whose chain has the ' +
          'revoked one in it is refused, and the bearers that were exchanged for such a token are gone.',
        request: { body: { required: true, content: { 'application/json': { schema: revocationRequest } } } },
        responses: {
          200: answered,
          400: problem('`revocation_invalid`, `input_invalid`'),
          503: problem('`revocations_full`'),
        },
      },
      async c => {
        const { token, ...statement } = c.req.valid('json')
        const verdict = verifyRevocation(statement, token)
        if (!verdict.ok) return problemResponse(c, invalid(verdict.detail)) as never
        const row = rowOf(verdict.hash, statement.iss, verdict.expiresAt * 1000)
        // What has expired is refused anyway.
        const kept = row.expiresAt <= now() || (await auth.revocations.revoke(row))
        return kept ? c.json(recordOf(row), 200) : (problemResponse(c, full) as never)
      },
    ),
    defineRoute(
      'operator',
      {
        method: 'put',
        path: '/revocations/{hash}',
        tags: ['Authentication'],
        summary: 'Revoke any UCAN by the hash of its signed bytes',
        request: { params: z.object({ hash: tokenHash }) },
        responses: { 200: answered, 400: problem('`input_invalid`'), 401: authenticated[401] },
      },
      async c => {
        const row = rowOf(c.req.valid('param').hash, 'operator', now() + longestLifeMs)
        await auth.revocations.revoke(row)
        return c.json(recordOf(row), 200)
      },
    ),
    defineRoute(
      'operator',
      {
        method: 'get',
        path: '/revocations',
        tags: ['Authentication'],
        summary: 'The revoked UCANs, in the order of their hashes',
        request: {
          query: z.object({
            limit: z.coerce.number().int().min(1).max(1000).default(100),
            after: tokenHash.optional(),
          }),
        },
        responses: {
          200: {
            description: 'The revocations',
            content: { 'application/json': { schema: z.object({ revocations: z.array(revocationRecord) }) } },
          },
          400: problem('`input_invalid`'),
          401: authenticated[401],
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

const recordOf = ({ hash, revokedBy, revokedAt, expiresAt }: RevocationRow): RevocationRecord => ({
  hash,
  revokedBy,
  revokedAt: new Date(revokedAt).toISOString(),
  keptUntil: new Date(expiresAt).toISOString(),
})

const invalid = (detail: string): ProblemFacts => ({
  status: 400,
  code: 'revocation_invalid',
  title: 'The revocation does not hold',
  detail,
})

const full: ProblemFacts = {
  status: 503,
  code: 'revocations_full',
  detail:
    'You revoked more tokens than the oracle remembers, or its list is full. Ask its operator to revoke the token.',
}
