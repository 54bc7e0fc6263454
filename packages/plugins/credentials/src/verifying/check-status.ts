import { z } from 'zod'
import type { StatusPurpose } from '../definitions/credentials-tables.ts'
import { type CredentialForm, issuerOf } from '../documents/credential-form.ts'
import { type Check, failed, passed } from '../records/verdict.ts'
import { readEncodedList } from '../status-lists/status-place.ts'

/** A verified status list of another issuer. */
export interface VerifiedList {
  readonly issuer: string
  readonly purposes: readonly string[]
  readonly encodedList: unknown
}

export interface StatusSource {
  /**
   * Reads the oracle's own list from the database.
   *
   * @returns undefined if the URL is not one of the oracle's lists
   */
  own(url: string, place: number): Promise<{ readonly purpose: StatusPurpose; readonly isSet: boolean } | undefined>
  /** DID of the issuer of the oracle's own lists. */
  readonly ownIssuer: () => string
  /** Fetches and verifies another issuer's list; the text says why it is unavailable. */
  fetch(url: string): Promise<VerifiedList | { readonly fault: string }>
}

const entryType = z.enum(['BitstringStatusListEntry', 'StatusList2021Entry'])

const entry = z.looseObject({
  type: z.union([entryType, z.tuple([entryType])]),
  statusPurpose: z.string().max(100),
  statusListIndex: z.string().regex(/^(?:0|[1-9]\d{0,8})$/, 'is not an index'),
  statusListCredential: z.string().max(2000),
  statusSize: z.literal(1).optional(),
})

const purposesThatCount: readonly string[] = ['revocation', 'suspension']

/**
 * Checks that a credential is neither revoked nor suspended (W3C Bitstring Status List 1.0 §3.2, or its draft Status List
 * 2021). An unknown status fails the check.
 *
 * @param isGood whether all other checks passed; only then are lists of other issuers fetched, each once
 */
export const checkStatus = async (credential: CredentialForm, isGood: boolean, lists: StatusSource): Promise<Check> => {
  const entries = [credential.credentialStatus ?? []].flat()
  if (entries.length === 0) return passed('status', 'it has no status, so its issuer cannot revoke it')
  const reported: string[] = []
  const source = isGood ? fetchingOnce(lists) : { ...lists, fetch: async () => notChecked }
  for (const [place, raw] of entries.entries()) {
    const parsed = entry.safeParse(raw)
    if (!parsed.success)
      return failed('status', `entry ${place + 1} is not a valid BitstringStatusListEntry or StatusList2021Entry`)
    const { statusPurpose, statusListIndex, statusListCredential } = parsed.data
    const isSet = await check(
      statusPurpose,
      Number(statusListIndex),
      statusListCredential,
      issuerOf(credential),
      source,
    )
    if (typeof isSet === 'object') return failed('status', `entry ${place + 1} (${statusPurpose}): ${isSet.fault}`)
    if (isSet && statusPurpose === 'revocation') return failed('status', 'it was revoked')
    if (isSet && statusPurpose === 'suspension') return failed('status', 'it is suspended')
    if (purposesThatCount.includes(statusPurpose)) reported.push(statusPurpose)
  }
  return passed(
    'status',
    reported.length > 0 ? `not set: ${reported.join(', ')}` : 'it has no status of revocation or suspension',
  )
}

const notChecked = { fault: 'not checked, because an earlier check failed' }

const fetchingOnce = (source: StatusSource): StatusSource => {
  const fetched = new Map<string, ReturnType<StatusSource['fetch']>>()
  const fetch: StatusSource['fetch'] = url => {
    const list = fetched.get(url) ?? source.fetch(url)
    fetched.set(url, list)
    return list
  }
  return { ...source, fetch }
}

const check = async (
  purpose: string,
  place: number,
  url: string,
  issuer: string,
  source: StatusSource,
): Promise<boolean | { readonly fault: string }> => {
  const own = await source.own(url, place)
  if (own) {
    if (issuer !== source.ownIssuer()) return { fault: 'the status list belongs to another issuer' }
    return own.purpose === purpose ? own.isSet : { fault: 'the status list has another purpose' }
  }
  if (issuer === source.ownIssuer()) return { fault: 'the oracle has no such status list' }
  const list = await source.fetch(url)
  if ('fault' in list) return list
  if (list.issuer !== issuer) return { fault: 'the status list belongs to another issuer' }
  if (!list.purposes.includes(purpose)) return { fault: 'the status list has another purpose' }
  const read = await readEncodedList(list.encodedList, place)
  return typeof read === 'boolean' ? read : { fault: `the status list: ${read.fault}` }
}
