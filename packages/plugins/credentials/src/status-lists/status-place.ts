import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { type StatusPurpose, statusPurposes } from '../definitions/credentials-tables.ts'
import type { JsonObject } from '../definitions/json-object.ts'

/** Number of positions of a list: the minimum of the standard, so that one credential cannot be identified. */
export const listPlaces = 131_072

export const statusListsPath = '/status-lists'

/** A position in a pair of lists. */
export interface StatusPlace {
  readonly list: string
  readonly place: number
}

/** Returns the id of one list of a pair, the last part of its URL. */
const statusListId = (list: string, purpose: StatusPurpose): string => `${list}-${purpose}`

/** Parses the id of a list; undefined if it is invalid. */
export const parseStatusListId = (
  id: string,
): { readonly list: string; readonly purpose: StatusPurpose } | undefined => {
  const [, list, purpose] = /^([a-z0-9]{16})-([a-z]+)$/.exec(id) ?? []
  const known = statusPurposes.find(one => one === purpose)
  return list === undefined || known === undefined ? undefined : { list, purpose: known }
}

/** Returns the `credentialStatus` of a credential: an entry for each purpose (W3C Bitstring Status List 1.0 §2.1). */
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

const [compress, decompress] = [promisify(gzip), promisify(gunzip)]

/** Maximum length of a list that is read, in bytes: sixteen times the minimum. */
const maxListBytes = (listPlaces / 8) * 16

/** Encodes a list: bit 0 is the leftmost (W3C Bitstring Status List 1.0 §3.3). @param set the positions that are set */
export const encodeList = async (set: Iterable<number>): Promise<string> => {
  const bytes = new Uint8Array(listPlaces / 8)
  for (const place of set) bytes[place >> 3]! |= 0x80 >> (place & 7)
  return `u${(await compress(bytes)).toString('base64url')}`
}

/**
 * Reads a position of an encoded list (§3.4): base64url with a leading `u`, or of Status List 2021 base64 without it.
 *
 * @param encoded hostile: its size is limited before and after decompression
 * @returns whether it is set, or the problem
 */
export const readEncodedList = async (
  encoded: unknown,
  place: number,
): Promise<boolean | { readonly fault: string }> => {
  if (
    typeof encoded !== 'string' ||
    !/^(?:u|(?=H4sI))[\w+/-]+={0,2}$/.test(encoded) ||
    encoded.length > maxListBytes * 2
  ) {
    return { fault: 'its encodedList is not base64url with a leading u, or a compressed list in base64' }
  }
  let bytes: Buffer
  try {
    bytes = await decompress(Buffer.from(encoded.replace(/^u/, ''), 'base64url'), { maxOutputLength: maxListBytes })
  } catch {
    return { fault: 'its encodedList cannot be decompressed, or is too long' }
  }
  if (bytes.length * 8 < listPlaces) return { fault: `it has fewer than ${listPlaces} positions` }
  if (place >= bytes.length * 8) return { fault: `it has no position ${place}` }
  return (bytes[place >> 3]! & (0x80 >> (place & 7))) !== 0
}
