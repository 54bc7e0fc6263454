import { abilityCovers, impersonationAbility } from '@sibyl/identity'
import type { Actor } from '@sibyl/plugin'
import { authSchemas } from '@sibyl/protocol'
import type { z } from 'zod'
import { bearerAbility, bearerToken, type ProvenInvocation } from '../auth/authenticate.ts'
import { maxBearerLifetimeSeconds } from '../auth/bearer-store.ts'
import type { Auth } from '../auth/make-auth.ts'
import { refusal, replayed } from './access-policy.ts'
import { coreRoute } from './core-route.ts'
import { problemResponse } from './problem-response.ts'
import type { OwnedRoute } from './route-chain.ts'

const tokenPath = '/auth/token'

/** Abilities that a bearer gets only if the body names them: they concern the invocation itself. */
const notScopes = [bearerAbility, impersonationAbility]

/** `POST /auth/token` exchanges an invocation for a bearer, `DELETE /auth/token` revokes bearers. */
export const tokenRoutes = (auth: Auth, now: () => number): OwnedRoute[] => {
  const exchange = coreRoute.post(
    tokenPath,
    {
      auth: { ucan: bearerAbility },
      tags: ['Authentication'],
      summary: 'Exchange an invocation for a bearer of at most 15 minutes',
      description:
        'The bearer acts as the actor of the invocation: its issuer, or the root of its chain if every link has ' +
        '`auth/impersonate`. It has the abilities of the invocation, limited by the `scopes` of the body. It expires with the first proof of the invocation, and is revoked with it or with one ' +
        'of its proofs. Only a UCAN can be exchanged. A DID has at most 50 bearers; a new one replaces ' +
        'the oldest.',
      body: { required: false, content: { 'application/json': { schema: authSchemas.bearerRequest } } },
      ok: { 200: { description: 'The bearer', schema: authSchemas.bearerRecord } },
      errors: [
        { code: 'invocation_needed', status: 403 },
        { code: 'scope_not_held', status: 403 },
      ],
    },
    async c => {
      const { scopes: held, via: _, ...holder } = c.get('actor')
      const invocation = c.get('invocation')
      if (!invocation) return problemResponse(c, invocationNeeded)
      // The header is sufficient: a request without a body has no content type either.
      const wanted = c.req.valid('json') ?? {}
      const scopes = wanted.scopes ?? held.filter(ability => !notScopes.includes(ability))
      const excess = scopes.find(scope => !held.some(ability => abilityCovers(ability, scope)))
      if (excess !== undefined || scopes.length === 0) return problemResponse(c, scopeNotHeld(excess))
      const expiresAt = endOf(invocation, now(), wanted.lifetimeSeconds ?? maxBearerLifetimeSeconds)
      const { policy } = auth.authentication()
      const links = invocation.links.map(link => link.hash)
      const issued = await auth.bearers.issue({
        ...holder,
        scopes,
        expiresAt,
        policy,
        nonce: invocation.nonce,
        links,
        now: now(),
      })
      if ('refused' in issued) {
        return problemResponse(c, refusal(issued.refused === 'replayed' ? replayed : revoked))
      }
      const record: z.infer<typeof authSchemas.bearerRecord> = {
        token: issued.token,
        tokenType: 'Bearer',
        did: holder.did,
        scopes: [...scopes],
        expiresAt: new Date(expiresAt).toISOString(),
      }
      return c.json(record, 200, { 'cache-control': 'no-store' })
    },
  )
  const revoke = coreRoute.delete(
    tokenPath,
    {
      auth: { ucan: bearerAbility },
      tags: ['Authentication'],
      summary: 'Revoke the presented bearer; with a UCAN or an API key, all bearers of its DID',
      ok: {
        200: {
          description: 'The number of revoked bearers',
          schema: authSchemas.bearerRevocationRecord,
        },
      },
    },
    async c => {
      const actor: Actor = c.get('actor')
      const presented = bearerToken(c.req.header('authorization')) ?? ''
      const count =
        actor.via === 'bearer' ? await auth.bearers.revoke(presented) : await auth.bearers.revokeAllOf(actor.did)
      return c.json({ revoked: count }, 200)
    },
  )
  return [
    { owner: 'core', route: exchange, spendsNonce: true },
    { owner: 'core', route: revoke },
  ]
}

/** Returns the expiry of a bearer: at most that of the first proof of its invocation. */
const endOf = ({ links }: ProvenInvocation, now: number, lifetimeSeconds: number): number =>
  Math.min(now + lifetimeSeconds * 1000, ...links.slice(1).map(proof => proof.expiresAt * 1000))

const invocationNeeded = {
  status: 403,
  code: 'invocation_needed',
  title: 'Only a UCAN can be exchanged',
  detail:
    'A bearer or an API key cannot be exchanged for a bearer. Send a UCAN invocation with the ability auth/token.',
}

const scopeNotHeld = (scope: string | undefined) => ({
  status: 403,
  code: 'scope_not_held',
  title: 'More than the invocation allows',
  detail:
    scope === undefined
      ? 'The invocation has only the ability auth/token. Mint it with the abilities of the bearer as well.'
      : `The invocation does not have the ability ${scope}. Request less, or mint it with that ability.`,
})

const revoked = {
  status: 401,
  code: 'ucan_revoked',
  title: 'The invocation was rejected',
  detail: 'The invocation or one of its proofs was revoked.',
} as const
