/** The strong ETag of a version of an entity (RFC 9110 §8.8.3). */
export const etagOf = (version: number): string => `"${version}"`

/** The states that a change may be made from: versions, or `any`. */
export type ExpectedVersions = 'any' | readonly number[]

/**
 * Reads `If-Match` (RFC 9110 §13.1.1). Weak tags and tags that are none of ours match nothing, so that they are no versions.
 *
 * @returns undefined where the header is missing
 */
export const expectedVersions = (ifMatch: string | undefined): ExpectedVersions | undefined => {
  if (ifMatch === undefined || ifMatch.trim() === '') return undefined
  if (ifMatch.trim() === '*') return 'any'
  return ifMatch
    .slice(0, 1_000)
    .split(',')
    .flatMap(tag => {
      const version = /^"([1-9]\d{0,14})"$/.exec(tag.trim())?.[1]
      return version === undefined ? [] : [Number(version)]
    })
}
