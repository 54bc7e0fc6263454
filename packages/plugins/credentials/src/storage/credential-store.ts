import { isObject } from '../documents/read-document.ts'
import type { JsonObject } from '../proofs/data-integrity-proof.ts'
import type { ChangeRow, CredentialStatus, CredentialsStorage } from './credentials-tables.ts'

/** A credential as it is kept. */
export interface StoredCredential {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly status: CredentialStatus
  readonly document: JsonObject
  readonly issuedBy: string
  /** Milliseconds since 1970. */
  readonly issuedAt: number
  /** When the person was erased whom it is about; undefined while the document is whole. */
  readonly erasedAt?: number
}

/** What a list is narrowed to. */
export interface CredentialFilters {
  readonly subject?: string | undefined
  readonly type?: string | undefined
  readonly status?: CredentialStatus | undefined
}

/** Reads what was issued. */
export interface CredentialStore {
  find(id: string): Promise<StoredCredential | undefined>
  /** By the hash of who asked and the idempotency key. */
  findByKey(key: string): Promise<(StoredCredential & { readonly requestHash: string }) | undefined>
  /** Whether a credential of that id was issued with that proof. */
  isIssued(id: string, proofValue: string): Promise<boolean>
  /** The newest first, those before the id `before`. */
  list(filters: CredentialFilters, limit: number, before?: string): Promise<readonly StoredCredential[]>
  /** The changes of a credential's status, the first one first. */
  changes(id: string): Promise<readonly Omit<ChangeRow, 'credential_id' | 'number'>[]>
}

const columns = ['id', 'type', 'subject', 'status', 'document', 'issued_by', 'issued_at', 'erased_at'] as const

export const createCredentialStore = ({ read }: Pick<CredentialsStorage, 'read'>): CredentialStore => ({
  async find(id) {
    const row = await read.selectFrom('credentials_credentials').select(columns).where('id', '=', id).executeTakeFirst()
    return row && storedOf(row)
  },
  async findByKey(key) {
    const row = await read
      .selectFrom('credentials_credentials')
      .select([...columns, 'request_hash'])
      .where('key', '=', key)
      .executeTakeFirst()
    return row && { ...storedOf(row), requestHash: row.request_hash }
  },
  async isIssued(id, proofValue) {
    const row = await read
      .selectFrom('credentials_credentials')
      .select('document')
      .where('id', '=', id)
      .executeTakeFirst()
    return isObject(row?.document.proof) && row.document.proof.proofValue === proofValue
  },
  async list({ subject, type, status }, limit, before) {
    let query = read.selectFrom('credentials_credentials').select(columns).orderBy('id', 'desc').limit(limit)
    if (subject !== undefined) query = query.where('subject', '=', subject)
    if (type !== undefined) query = query.where('type', '=', type)
    if (status !== undefined) query = query.where('status', '=', status)
    if (before !== undefined) query = query.where('id', '<', before)
    return (await query.execute()).map(storedOf)
  },
  changes: id =>
    read
      .selectFrom('credentials_changes')
      .select(['kind', 'by', 'reason', 'at'])
      .where('credential_id', '=', id)
      .orderBy('number')
      .execute(),
})

const storedOf = (row: {
  id: string
  type: string
  subject: string
  status: CredentialStatus
  document: JsonObject
  issued_by: string
  issued_at: number
  erased_at: number | null
}): StoredCredential => {
  const { issued_by: issuedBy, issued_at: issuedAt, id, type, subject, status, document } = row
  const erased = row.erased_at === null ? {} : { erasedAt: row.erased_at }
  return { id, type, subject, status, document, issuedBy, issuedAt, ...erased }
}
