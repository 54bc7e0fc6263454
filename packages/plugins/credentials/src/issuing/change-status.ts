import type { entityDirectory, ServiceOf } from '@sibyl/protocol'
import { credentialsErrors } from '../definitions/credentials-errors.ts'

import type { ChangeRow, CredentialsTransaction, StatusPurpose } from '../definitions/credentials-tables.ts'
import type { CredentialStatus } from '../records/credential-record.ts'

/** A change of a credential's status. */
export interface StatusChange {
  readonly id: string
  readonly kind: ChangeRow['kind']
  /** DID of the party that decided it. */
  readonly by: string
  readonly reason: string
  /** Milliseconds since 1970. */
  readonly at: number
}

const statusAfter: Readonly<Record<StatusChange['kind'], CredentialStatus>> = {
  suspended: 'suspended',
  reinstated: 'active',
  revoked: 'revoked',
}

/**
 * Changes the status of a credential in its row and in the status list. A revoked credential is removed from its
 * entity. If it already has the status, nothing changes.
 *
 * @throws `credential_not_found`, `credential_revoked`
 */
export const changeStatus = async (
  { id, kind, by, reason, at }: StatusChange,
  tx: CredentialsTransaction,
  directory: Pick<ServiceOf<typeof entityDirectory>, 'removeCredential'> | undefined,
): Promise<void> => {
  const row = await tx
    .selectFrom('credentials_credentials')
    .select(['status', 'subject', 'list', 'place'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw credentialsErrors.credential_not_found()
  const status = statusAfter[kind]
  if (row.status === status) return
  if (row.status === 'revoked') throw credentialsErrors.credential_revoked()
  await tx.updateTable('credentials_credentials').set({ status }).where('id', '=', id).execute()
  await note({ id, kind, by, reason, at }, tx)
  const purpose: StatusPurpose = kind === 'revoked' ? 'revocation' : 'suspension'
  const mark = { list: row.list, purpose, place: row.place }
  if (kind === 'reinstated') await unmark(mark, tx)
  else await tx.insertInto('credentials_marks').values(mark).execute()
  const version = `${purpose}_version` as const
  await tx
    .updateTable('credentials_lists')
    .set(it => ({ [version]: it(version, '+', 1) }))
    .where('id', '=', row.list)
    .execute()
  if (kind === 'revoked') await directory?.removeCredential({ did: row.subject, id, by }, tx)
}

const note = async ({ id, kind, by, reason, at }: StatusChange, tx: CredentialsTransaction): Promise<void> => {
  const { last } = await tx
    .selectFrom('credentials_changes')
    .select(it => it.fn.max('number').as('last'))
    .where('credential_id', '=', id)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('credentials_changes')
    .values({ credential_id: id, number: (last ?? 0) + 1, kind, by, reason, at })
    .execute()
}

const unmark = (
  { list, purpose, place }: { list: string; purpose: StatusPurpose; place: number },
  tx: CredentialsTransaction,
) =>
  tx
    .deleteFrom('credentials_marks')
    .where(eb => eb.and({ list, purpose, place }))
    .execute()
