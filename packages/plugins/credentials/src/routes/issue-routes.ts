import { type Route, route, routeAnswers } from '@sibyl/plugin'
import type { EntityDirectory } from '@sibyl/protocol'
import { z } from 'zod'
import { type CredentialRights, credentialsAccess } from '../access/credential-rights.ts'
import { credentialsErrors } from '../definitions/credentials-errors.ts'
import type { CredentialsStorage } from '../definitions/credentials-tables.ts'
import { changeStatus, type StatusChange } from '../issuing/change-status.ts'
import { type IssueParts, issueCredential } from '../issuing/issue-credential.ts'
import {
  credentialRecord,
  issueRequest,
  parseCredentialId,
  recordOf,
  statusRequest,
} from '../storage/credential-records.ts'
import type { CredentialStore } from '../storage/credential-store.ts'

const { json } = routeAnswers

const headers = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'The same key and body again give the same credential, not another one' }),
})

/** What changes of status rest on. */
export interface StatusParts {
  readonly storage: CredentialsStorage
  readonly store: CredentialStore
  readonly directory: Pick<EntityDirectory, 'removeCredential'> | undefined
  readonly now: () => number
}

const changes = [
  ['revoke', 'revoked', 'Revoke a credential, for ever'],
  ['suspend', 'suspended', 'Suspend a credential'],
  ['reinstate', 'reinstated', 'Take a suspension back'],
] as const

/** Creates the routes that issue credentials and change their status. */
export const issueRoutes = (issuing: IssueParts, changing: StatusParts, rights: CredentialRights): Route[] => [
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
        credentialsErrors.credential_invalid,
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
        issuing,
      )
      return c.json(recordOf(stored), 201, { location: `/credentials/${stored.id}` })
    },
  ),
  ...changes.map(([verb, kind, summary]) =>
    route.post(
      `/credentials/{id}/${verb}`,
      {
        auth: credentialsAccess('credentials/revoke'),
        summary,
        description: 'Whoever verifies it from then on learns so. It may be sent again.',
        params: z.object({ id: z.string().max(100) }),
        body: statusRequest,
        ok: { 200: { description: 'The credential as it is now', schema: credentialRecord } },
        errors: [
          credentialsErrors.issuer_not_allowed,
          credentialsErrors.credential_not_found,
          credentialsErrors.credential_revoked,
        ],
      },
      async c => {
        const actor = rights.demand(c.get('actor'), 'credentials/revoke')
        const id = parseCredentialId(c.req.valid('param').id)
        if (id === undefined) throw credentialsErrors.credential_not_found()
        const { reason } = c.req.valid('json')
        await writeStatus({ id, kind, by: rights.nameOf(actor), reason, at: changing.now() }, changing)
        return c.json(recordOf((await changing.store.find(id))!, await changing.store.changes(id)), 200)
      },
    ),
  ),
]

/** Changes a status by itself. */
export const writeStatus = (
  change: StatusChange,
  { storage, directory }: Pick<StatusParts, 'storage' | 'directory'>,
): Promise<void> => storage.write(tx => changeStatus(change, tx, directory))
