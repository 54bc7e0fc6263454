import type { Clock, Host } from '@sibyl/plugin'
import { credentialsContext } from '../contexts/known-contexts.ts'
import type {
  CredentialsStorage,
  CredentialsTransaction,
  ListDocumentRow,
  StatusPurpose,
} from '../definitions/credentials-tables.ts'
import type { OracleSigner } from '../proofs/oracle-signer.ts'
import { dateTimeOf, signDocument } from '../proofs/sign-document.ts'
import { encodeList, parseStatusListId, statusListsPath } from './status-place.ts'

/** A signed status list as sent to clients. */
export interface StatusListDocument {
  /** JSON of a BitstringStatusListCredential. */
  readonly text: string
  readonly etag: string
}

export interface StatusListDependencies {
  readonly storage: CredentialsStorage
  readonly clock: Clock
  readonly identity: Pick<Host['identity'], 'publicDid'>
  readonly signer: OracleSigner
}

/**
 * Returns a signed status list. It is signed again if its content or the oracle's key has changed, and stored for all
 * processes.
 *
 * @param id `<list>-revocation` or `<list>-suspension`
 * @returns undefined if the list is unknown
 */
export const readStatusList = async (
  id: string,
  parts: StatusListDependencies,
): Promise<StatusListDocument | undefined> => {
  const { storage, signer } = parts
  const wanted = parseStatusListId(id)
  if (!wanted) return undefined
  const row = await storage.read
    .selectFrom('credentials_lists')
    .leftJoin('credentials_list_documents', join => join.on('credentials_list_documents.id', '=', id))
    .select([`${wanted.purpose}_version as version`, 'credentials_list_documents.version as signedVersion'])
    .select(['signer', 'document'])
    .where('credentials_lists.id', '=', wanted.list)
    .executeTakeFirst()
  if (!row) return undefined
  const current = signer.verificationMethod()
  const isFresh = row.signedVersion === row.version && (current === undefined || row.signer === current)
  const text = isFresh && row.document !== null ? row.document : await signList(id, wanted, row.version, parts)
  return { text, etag: `"${id}-${row.version}-${(current ?? row.signer ?? '').slice(-8)}"` }
}

const signList = async (
  id: string,
  { list, purpose }: { readonly list: string; readonly purpose: StatusPurpose },
  version: number,
  { storage, clock, identity, signer }: StatusListDependencies,
): Promise<string> => {
  const marks = await storage.read
    .selectFrom('credentials_marks')
    .select('place')
    .where(eb => eb.and({ list, purpose }))
    .execute()
  const url = `${signer.publicUrl()}${statusListsPath}/${id}`
  const { verificationMethod, sign } = await signer.ready()
  const now = clock.now()
  const document = await signDocument(
    {
      '@context': [credentialsContext],
      id: url,
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      issuer: identity.publicDid,
      validFrom: dateTimeOf(now),
      credentialSubject: {
        id: `${url}#list`,
        type: 'BitstringStatusList',
        statusPurpose: purpose,
        encodedList: await encodeList(marks.map(({ place }) => place)),
      },
    },
    now,
    { verificationMethod, sign },
  )
  const signed = { id, version, signer: verificationMethod, document: JSON.stringify(document) }
  return storage.write(tx => keep(signed, tx))
}

/** Stores a signed list unless another process was first; returns the stored one. */
const keep = async (signed: ListDocumentRow, tx: CredentialsTransaction): Promise<string> => {
  const { id, version, signer } = signed
  await tx
    .insertInto('credentials_list_documents')
    .values(signed)
    .onConflict(it =>
      it
        .column('id')
        .doUpdateSet(signed)
        .where(kept =>
          kept.or([
            kept('credentials_list_documents.version', '<', version),
            kept.and([
              kept('credentials_list_documents.version', '=', version),
              kept('credentials_list_documents.signer', '!=', signer),
            ]),
          ]),
        ),
    )
    .execute()
  const { document } = await tx
    .selectFrom('credentials_list_documents')
    .select('document')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return document
}
