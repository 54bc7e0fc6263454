import type { Host } from '@sibyl/plugin'
import type { GuardedFetch } from '@sibyl/plugin/outbound'
import { isObject } from '@sibyl/protocol'
import type { CredentialsStorage } from '../definitions/credentials-tables.ts'
import { readDocument } from '../documents/read-document.ts'
import { parseStatusListId, statusListsPath } from '../status-lists/status-place.ts'
import type { StatusSource, VerifiedList } from './check-status.ts'
import type { CredentialVerifier } from './create-verifier.ts'

export interface StatusSourceDependencies {
  readonly storage: Pick<CredentialsStorage, 'read'>
  readonly identity: Pick<Host['identity'], 'publicDid'>
  readonly publicUrl: () => string
  /** Verifies the lists of other issuers. */
  readonly verifier: () => CredentialVerifier
  readonly fetch: GuardedFetch
}

/**
 * Creates the source of status lists: the database for the oracle's own, guarded requests for those of other issuers.
 */
export const createStatusSource = ({
  storage,
  identity,
  publicUrl,
  verifier,
  fetch,
}: StatusSourceDependencies): StatusSource => ({
  ownIssuer: () => identity.publicDid,
  async own(url, place) {
    const prefix = `${publicUrl()}${statusListsPath}/`
    if (!url.startsWith(prefix)) return undefined
    const id = parseStatusListId(url.slice(prefix.length))
    if (!id) return undefined
    const { list, purpose } = id
    const row = await storage.read
      .selectFrom('credentials_lists')
      .leftJoin('credentials_marks', join =>
        join
          .onRef('credentials_marks.list', '=', 'credentials_lists.id')
          .on('credentials_marks.purpose', '=', purpose)
          .on('credentials_marks.place', '=', place),
      )
      .select('credentials_marks.place as mark')
      .where('credentials_lists.id', '=', list)
      .executeTakeFirst()
    return row && { purpose, isSet: row.mark !== null }
  },
  async fetch(url) {
    if (!url.startsWith('https://')) return { fault: 'the status list does not have an https URL' }
    try {
      const answer = await fetch(url, { headers: { accept: 'application/vc, application/json' }, ...limits })
      if (answer.status !== 200) return { fault: `the status list is unavailable: status ${answer.status}` }
      if (!answer.isComplete) return { fault: `the status list has more than ${limits.maxBytes} bytes` }
      return await listOf(url, Buffer.from(answer.body).toString('utf8'), verifier())
    } catch {
      return { fault: 'the status list is unavailable' }
    }
  },
})

const limits = { timeLimitMs: 5000, maxBytes: 200_000, maxRedirects: 2 } as const

const listTypes: readonly string[] = ['BitstringStatusListCredential', 'StatusList2021Credential']

const listOf = async (
  url: string,
  text: string,
  verifier: CredentialVerifier,
): Promise<VerifiedList | { readonly fault: string }> => {
  const read = readDocument(text)
  const { verified, checks } = await verifier.verifyWithoutStatus(read)
  const bad = checks.find(({ ok }) => !ok)
  if (!verified || !read.ok) return { fault: `the status list itself is invalid: ${bad?.name}: ${bad?.detail}` }
  const { type, id, issuer, credentialSubject } = read.document
  if (![type].flat().some(one => listTypes.includes(one as string)))
    return { fault: 'the URL of the status list returned something else' }
  if (id !== undefined && id !== url) return { fault: 'the URL of the status list returned another status list' }
  if (!isObject(credentialSubject)) return { fault: 'the status list does not have exactly one subject' }
  const { statusPurpose, encodedList } = credentialSubject
  const name = isObject(issuer) ? issuer.id : issuer
  return { issuer: String(name), purposes: [statusPurpose].flat().map(String), encodedList }
}
