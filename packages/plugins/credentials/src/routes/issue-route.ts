import { type Route, route, routeAnswers } from '@sibyl/plugin'
import { z } from 'zod'
import type { CredentialRights } from '../access/credential-rights.ts'
import { credentialRecord, issueRequest, recordOf } from '../credential-records.ts'
import { credentialsErrors } from '../credentials-errors.ts'
import { type IssueParts, issueCredential } from '../issuing/issue-credential.ts'
import { credentialsAccess } from './route-answers.ts'

const { json } = routeAnswers

const headers = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'The same key and body again give the same credential, not another one' }),
})

/** `POST /credentials/issue`. */
export const issueRoute = (parts: IssueParts, rights: CredentialRights): Route =>
  route.post(
    '/credentials/issue',
    {
      auth: credentialsAccess('credentials/issue'),
      summary: 'Issue a credential',
      description:
        "Signed by the oracle's key (eddsa-jcs-2022) under its did:web, with a place in its status lists, and entered at the " +
        'entity that it is about. For the oracle, its controllers, and those to whom one of them gave that right.',
      headers,
      body: issueRequest,
      ok: {
        201: {
          ...json('The credential; `Location` is where it is read', credentialRecord),
          headers: z.object({ location: z.string() }),
        },
      },
      errors: [
        credentialsErrors.issuer_not_allowed,
        { code: 'credential_invalid', status: 422 },
        credentialsErrors.idempotency_key_reused,
        { code: 'signing_key_missing', status: 503 },
      ],
    },
    async c => {
      const actor = rights.demand(c.get('actor'), 'credentials/issue')
      const { type, subject, validFrom, validUntil, evidence } = c.req.valid('json')
      const idempotencyKey = c.req.valid('header')['idempotency-key']
      const stored = await issueCredential(
        {
          type,
          subject,
          issuedBy: rights.nameOf(actor),
          ...(validFrom === undefined ? {} : { validFrom: Date.parse(validFrom) }),
          ...(validUntil === undefined ? {} : { validUntil: Date.parse(validUntil) }),
          ...(evidence === undefined ? {} : { evidence }),
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        },
        parts,
      )
      return c.json(recordOf(stored), 201, { location: `/credentials/${stored.id}` })
    },
  )
