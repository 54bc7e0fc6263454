import { toJson } from '@sibyl/plugin/storage'
import type { CredentialsTransaction } from '../definitions/credentials-tables.ts'
import { isObject, type JsonObject } from '../definitions/json-object.ts'

/** The members of a signed document that say nothing of a person, besides the id of the subject. */
const impersonal = ['@context', 'id', 'type', 'issuer', 'validFrom', 'validUntil', 'credentialStatus', 'proof'] as const

/** How many credentials are rewritten by one statement's worth of reading. */
const pageSize = 200

/**
 * Removes from stored documents what they say, and the reasons of their changes of status. The proof stays: it tells a copy
 * that was issued here from any other.
 *
 * @param subject What takes the place of the DID of whom they are about; their own where it is undefined.
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
