/** Returns the strong ETag of a version of an entity (RFC 9110 §8.8.3). */
export const etagOf = (version: number): string => `"${version}"`

/** The versions that a change may be based on, or `any`. */
export type ExpectedVersions = 'any' | readonly number[]

/**
 * Parses `If-Match` (RFC 9110 §13.1.1). Unknown tags match nothing, so they are omitted. All tags here are strong: a weak
 * one is the tag of a version that a proxy compressed.
 *
 * @returns undefined if the header is missing
 */
export const expectedVersions = (ifMatch: string | undefined): ExpectedVersions | undefined => {
  if (ifMatch === undefined || ifMatch.trim() === '') return undefined
  if (ifMatch.trim() === '*') return 'any'
  return ifMatch
    .slice(0, 1_000)
    .split(',')
    .flatMap(tag => {
      const version = /^(?:W\/)?"([1-9]\d{0,14})"$/.exec(tag.trim())?.[1]
      return version === undefined ? [] : [Number(version)]
    })
}
