import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { listPlaces } from './status-place.ts'

const [compress, decompress] = [promisify(gzip), promisify(gunzip)]

/** The longest list that is read, in bytes: sixteen times the shortest. */
const maxListBytes = (listPlaces / 8) * 16

/** Encodes a list: bit 0 is the leftmost (W3C Bitstring Status List 1.0 §3.3). @param set the places that are set */
export const encodeList = async (set: Iterable<number>): Promise<string> => {
  const bytes = new Uint8Array(listPlaces / 8)
  for (const place of set) bytes[place >> 3]! |= 0x80 >> (place & 7)
  return `u${(await compress(bytes)).toString('base64url')}`
}

/**
 * Reads a place of an encoded list (§3.4).
 *
 * @param encoded hostile: its size is limited before and after it is unpacked
 * @returns whether it is set, or what is wrong
 */
export const readEncodedList = async (
  encoded: unknown,
  place: number,
): Promise<boolean | { readonly fault: string }> => {
  if (typeof encoded !== 'string' || !/^u[\w-]+$/.test(encoded) || encoded.length > maxListBytes * 2) {
    return { fault: 'its encodedList is not base64url with a u in front' }
  }
  let bytes: Buffer
  try {
    bytes = await decompress(Buffer.from(encoded.slice(1), 'base64url'), { maxOutputLength: maxListBytes })
  } catch {
    return { fault: 'its encodedList cannot be unpacked, or is too long' }
  }
  if (bytes.length * 8 < listPlaces) return { fault: `it has fewer than ${listPlaces} places` }
  if (place >= bytes.length * 8) return { fault: `it has no place ${place}` }
  return (bytes[place >> 3]! & (0x80 >> (place & 7))) !== 0
}
