import type { JsonObject } from '../proofs/data-integrity-proof.ts'
import { type StatusPurpose, statusPurposes } from '../storage/credentials-tables.ts'

/** How many places a list has: as many as the standard asks for, so that one credential is not found in a crowd. */
export const listPlaces = 131_072

/** The path that status lists are answered under. */
export const statusListsPath = '/status-lists'

/** A place in a pair of lists. */
export interface StatusPlace {
  readonly list: string
  readonly place: number
}

/** The id of one list of a pair, the last part of its URL. */
export const statusListId = (list: string, purpose: StatusPurpose): string => `${list}-${purpose}`

/** Takes the id of a list apart; undefined where it is none. */
export const parseStatusListId = (
  id: string,
): { readonly list: string; readonly purpose: StatusPurpose } | undefined => {
  const [, list, purpose] = /^([a-z0-9]{16})-([a-z]+)$/.exec(id) ?? []
  const known = statusPurposes.find(one => one === purpose)
  return list === undefined || known === undefined ? undefined : { list, purpose: known }
}

/** The `credentialStatus` of a credential: an entry for each purpose (W3C Bitstring Status List 1.0 §2.1). */
export const statusEntries = (publicUrl: string, { list, place }: StatusPlace): JsonObject[] =>
  statusPurposes.map(purpose => {
    const url = `${publicUrl}${statusListsPath}/${statusListId(list, purpose)}`
    return {
      id: `${url}#${place}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: purpose,
      statusListIndex: String(place),
      statusListCredential: url,
    }
  })
