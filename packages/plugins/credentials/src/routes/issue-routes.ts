import { type Route, route, routeAnswers } from '@sibyl/plugin'
import type { entityDirectory, ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import { type CredentialRights, credentialsAccess } from '../access/credential-rights.ts'
import { credentialsErrors } from '../definitions/credentials-errors.ts'
import type { CredentialsStorage } from '../definitions/credentials-tables.ts'
import { changeStatus, type StatusChange } from '../issuing/change-status.ts'
import { type IssueDependencies, issueCredential } from '../issuing/issue-credential.ts'
import { credentialRecord } from '../records/credential-record.ts'
import { issueRequest, parseCredentialId, recordOf, statusRequest } from '../storage/credential-records.ts'
import type { CredentialStore } from '../storage/credential-store.ts'

const { json } = routeAnswers

const headers = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'The same key with the same body returns the same credential and creates no other' }),
})

export interface StatusDependencies {
  readonly storage: CredentialsStorage
  readonly store: CredentialStore
  readonly directory: Pick<ServiceOf<typeof entityDirectory>, 'removeCredential'> | undefined
  readonly now: () => number
}

const changes = [
  ['revoke', 'revoked', 'Revoke a credential permanently'],
  ['suspend', 'suspended', 'Suspend a credential'],
  ['reinstate', 'reinstated', 'End the suspension of a credential'],
] as const

export const issueRoutes = (
  issuing: IssueDependencies,
  changing: StatusDependencies,
  rights: CredentialRights,
): Route[] => [
  route.post(
    '/credentials/issue',
    {
      auth: credentialsAccess('credentials/issue'),
      summary: 'Issue a credential',
      description:
        "Signs it with the oracle's key (eddsa-jcs-2022) under its did:web, gives it a position in its status lists, and adds it to the " +
        'entity that is its subject. For the oracle, its controllers, and callers to whom one of them gave that right.',
      headers,
      body: issueRequest,
      ok: {
        201: {
          ...json('The credential; `Location` is its URL', credentialRecord),
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
        description: 'Later verifications report the new status. The request can be repeated safely.',
        params: z.object({ id: z.string().max(100) }),
        body: statusRequest,
        ok: { 200: { description: 'The credential with its new status', schema: credentialRecord } },
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

/** Changes a status in a transaction of its own. */
export const writeStatus = (
  change: StatusChange,
  { storage, directory }: Pick<StatusDependencies, 'storage' | 'directory'>,
): Promise<void> => storage.write(tx => changeStatus(change, tx, directory))
