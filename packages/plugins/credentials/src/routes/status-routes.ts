import { type Route, route } from '@sibyl/plugin'
import type { EntityDirectory } from '@sibyl/protocol'
import { z } from 'zod'
import type { CredentialRights } from '../access/credential-rights.ts'
import { credentialRecord, recordOf, statusRequest } from '../credential-records.ts'
import { credentialsErrors } from '../credentials-errors.ts'
import { changeStatus, type StatusChange } from '../issuing/change-status.ts'
import { parseCredentialId } from '../issuing/credential-id.ts'
import type { CredentialStore } from '../storage/credential-store.ts'
import type { CredentialsStorage } from '../storage/credentials-tables.ts'
import { credentialsAccess } from './route-answers.ts'

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

/** `POST /credentials/:id/revoke`, `/suspend` and `/reinstate`. */
export const statusRoutes = (parts: StatusParts, rights: CredentialRights): Route[] =>
  changes.map(([verb, kind, summary]) =>
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
        await writeStatus({ id, kind, by: rights.nameOf(actor), reason, at: parts.now() }, parts)
        return c.json(recordOf((await parts.store.find(id))!, await parts.store.changes(id)), 200)
      },
    ),
  )

/** Changes a status by itself. */
export const writeStatus = (
  change: StatusChange,
  { storage, directory }: Pick<StatusParts, 'storage' | 'directory'>,
): Promise<void> => storage.write(tx => changeStatus(change, tx, directory))
