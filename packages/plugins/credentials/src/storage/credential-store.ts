import { isObject } from '@sibyl/protocol'
import type { ChangeRow, CredentialRow, CredentialsStorage } from '../definitions/credentials-tables.ts'
import type { JsonObject } from '../definitions/json-object.ts'
import type { CredentialStatus } from '../records/credential-record.ts'

export interface CredentialFilters {
  readonly subject?: string | undefined
  readonly type?: string | undefined
  readonly status?: CredentialStatus | undefined
}

export type CredentialStore = ReturnType<typeof createCredentialStore>

const columns = ['id', 'type', 'subject', 'status', 'document', 'issued_by', 'issued_at', 'erased_at'] as const

export const createCredentialStore = ({ read }: Pick<CredentialsStorage, 'read'>) => ({
  async find(id: string): Promise<StoredCredential | undefined> {
    const row = await read.selectFrom('credentials_credentials').select(columns).where('id', '=', id).executeTakeFirst()
    return row && storedOf(row)
  },
  /** Finds a credential by the hash of its requester and idempotency key. */
  async findByKey(key: string): Promise<(StoredCredential & { readonly requestHash: string }) | undefined> {
    const row = await read
      .selectFrom('credentials_credentials')
      .select([...columns, 'request_hash'])
      .where('key', '=', key)
      .executeTakeFirst()
    return row && { ...storedOf(row), requestHash: row.request_hash }
  },
  /** Returns whether a credential with that id was issued with that proof. */
  async isIssued(id: string, proofValue: string): Promise<boolean> {
    const row = await read
      .selectFrom('credentials_credentials')
      .select('document')
      .where('id', '=', id)
      .executeTakeFirst()
    return isObject(row?.document.proof) && row.document.proof.proofValue === proofValue
  },
  /** Lists credentials, newest first, starting before the id `before`. */
  async list(
    { subject, type, status }: CredentialFilters,
    limit: number,
    before?: string,
  ): Promise<readonly StoredCredential[]> {
    let query = read.selectFrom('credentials_credentials').select(columns).orderBy('id', 'desc').limit(limit)
    if (subject !== undefined) query = query.where('subject', '=', subject)
    if (type !== undefined) query = query.where('type', '=', type)
    if (status !== undefined) query = query.where('status', '=', status)
    if (before !== undefined) query = query.where('id', '<', before)
    return (await query.execute()).map(storedOf)
  },
  /** Returns the changes of a credential's status, oldest first. */
  changes: (id: string): Promise<readonly Omit<ChangeRow, 'credential_id' | 'number'>[]> =>
    read
      .selectFrom('credentials_changes')
      .select(['kind', 'by', 'reason', 'at'])
      .where('credential_id', '=', id)
      .orderBy('number')
      .execute(),
})

const storedOf = (
  row: Pick<CredentialRow, Exclude<(typeof columns)[number], 'document'>> & { readonly document: JsonObject },
) => {
  const { issued_by: issuedBy, issued_at: issuedAt, id, type, subject, status, document } = row
  // Missing while the document is complete.
  const erased = row.erased_at === null ? {} : { erasedAt: row.erased_at }
  return { id, type, subject, status, document, issuedBy, issuedAt, ...erased }
}

export type StoredCredential = Readonly<ReturnType<typeof storedOf>>
