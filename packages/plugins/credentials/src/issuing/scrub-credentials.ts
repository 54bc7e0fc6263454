import { toJson } from '@sibyl/plugin/storage'
import { isObject } from '@sibyl/protocol'
import type { CredentialsTransaction } from '../definitions/credentials-tables.ts'
import type { JsonObject } from '../definitions/json-object.ts'

/** Members of a signed document that contain no personal data, besides the id of the subject. */
const impersonal = ['@context', 'id', 'type', 'issuer', 'validFrom', 'validUntil', 'credentialStatus', 'proof'] as const

/** Number of credentials that are read and rewritten at a time. */
const pageSize = 200

/**
 * Removes content from stored documents, and the reasons of their status changes. The proof stays, so that copies that
 * were issued here can be recognized.
 *
 * @param subject DID that replaces the subject's; undefined keeps the subject's DID
 */
export const scrubCredentials = async (
  ids: readonly string[],
  { subject, at }: { readonly subject?: string; readonly at: number },
  tx: CredentialsTransaction,
): Promise<void> => {
  for (let from = 0; from < ids.length; from += pageSize) {
    const some = ids.slice(from, from + pageSize)
    const rows = await tx
      .selectFrom('credentials_credentials')
      .select(['id', 'document', 'subject'])
      .where('id', 'in', some)
      .execute()
    for (const row of rows) {
      const about = subject ?? row.subject
      await tx
        .updateTable('credentials_credentials')
        .set({ subject: about, document: toJson(remnantOf(row.document, about)), erased_at: at })
        .where('id', '=', row.id)
        .execute()
    }
    await tx.updateTable('credentials_changes').set({ reason: '' }).where('credential_id', 'in', some).execute()
  }
}

const remnantOf = (document: JsonObject, subject: string): JsonObject => {
  const kept = Object.entries(document).filter(([name]) => impersonal.some(one => one === name))
  const hasSubject = isObject(document.credentialSubject)
  return { ...Object.fromEntries(kept), ...(hasSubject ? { credentialSubject: { id: subject } } : {}) }
}
