import { contentHash } from '../claims/content-hash.ts'
import { claimsFailures } from '../claims-errors.ts'

/** The cursor behind the last id of a page. @param query what the page was of; the next one has to be of the same */
export const cursorAfter = (last: string, query: object): string =>
  Buffer.from(JSON.stringify([last, markOf(query)])).toString('base64url')

/**
 * The id that a page begins behind.
 *
 * @throws CursorInvalid `cursor_invalid` where the cursor is none, or of another query
 */
export const readCursor = (cursor: string | undefined, query: object): string | undefined => {
  if (cursor === undefined) return undefined
  const parts = partsOf(cursor)
  if (!Array.isArray(parts) || parts[1] !== markOf(query)) throw claimsFailures.cursor_invalid()
  const [last] = parts
  if (typeof last !== 'string' || !idForm.test(last)) throw claimsFailures.cursor_invalid()
  return last
}

/** The id of a claim or a collection. */
const idForm = /^[\w-]{1,64}$/

const partsOf = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

const markOf = (query: object): string => contentHash(query).slice(0, 16)
