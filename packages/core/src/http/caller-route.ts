import type { Route } from '@sibyl/plugin'
import { holderOfToken } from '../auth/authenticate.ts'
import type { Auth } from '../auth/make-auth.ts'
import { callerRecord } from '../records/caller-record.ts'
import { presentedBy, refusal } from './access-policy.ts'
import { coreRoute } from './core-route.ts'
import { problemResponse } from './problem-response.ts'

/** `GET /me`: the user of a bearer, an access token or an API key. */
export const callerRoute = (auth: Auth): Route =>
  coreRoute.get(
    '/me',
    {
      auth: 'own',
      tags: ['Authentication'],
      summary: 'The DID and the abilities of your credential',
      description: 'For clients that adapt to the rights of their user. Takes a bearer, an access token or an API key.',
      ok: { 200: { description: 'The caller', schema: callerRecord } },
      errors: [
        { code: 'ucan_missing', status: 401 },
        { code: 'credential_unknown', status: 401 },
        { code: 'credential_rejected', status: 401 },
        { code: 'bearer_invalid', status: 401 },
      ],
    },
    async c => {
      const presented = presentedBy(c, true)
      const { token } = presented
      const held =
        token === undefined ? missing : await holderOfToken({ ...presented, token }, auth.authentication(), c.req.path)
      if (held === undefined || !('actor' in held)) return problemResponse(c, refusal(held ?? missing))
      const { did, scopes } = held.actor
      return c.json({ did, scopes: [...scopes], operator: auth.isOperatorGrant(held.actor) }, 200)
    },
  )

const missing = {
  status: 401,
  code: 'ucan_missing',
  title: 'A credential is required',
  detail: 'Send a bearer, an access token or an API key: Authorization: Bearer <token>.',
} as const
