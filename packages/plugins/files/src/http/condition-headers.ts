import { type ConditionHeaders, type EntityTags, matches } from '../store/precondition.ts'

/** Returns a header of a request. */
export type ReadHeader = (name: string) => string | undefined

/** Returns the strong entity tag of a content (RFC 9110, section 8.8.3): its hash in quotes. */
export const entityTag = (sha256: string): string => `"${sha256}"`

/** Reads the headers of a conditional request (RFC 9110, section 13.1). All tags here are strong: a weak one is from a proxy that compresses. */
export const conditionHeaders = (header: ReadHeader): ConditionHeaders => {
  const ifMatch = readTags(header('if-match'))
  const ifNoneMatch = readTags(header('if-none-match'))
  return { ...(ifMatch ? { ifMatch } : {}), ...(ifNoneMatch ? { ifNoneMatch } : {}) }
}

/** Returns the result of a conditional read: send it, not modified (304), or precondition failed (412). */
export const readVerdict = (sha256: string, header: ReadHeader): 'send' | 'unchanged' | 'changed' => {
  const { ifMatch, ifNoneMatch } = conditionHeaders(header)
  if (ifMatch && !matches(ifMatch, { sha256 })) return 'changed'
  return ifNoneMatch && matches(ifNoneMatch, { sha256 }) ? 'unchanged' : 'send'
}

/** Returns whether the requested part matches the client's content (If-Range); a date is not precise enough. */
export const rangeFits = (sha256: string, header: ReadHeader): boolean => {
  const given = header('if-range')?.trim()
  return given === undefined || given === entityTag(sha256)
}

const tag = /"([\x21\x23-\x7e\x80-\xff]*)"/g

const readTags = (given: string | undefined): EntityTags | undefined => {
  if (given === undefined) return undefined
  return given.trim() === '*' ? '*' : [...given.matchAll(tag)].map(([, value]) => value!)
}
