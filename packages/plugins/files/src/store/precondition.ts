import { filesErrors } from '../definitions/files-errors.ts'

/** State of a path: the hash of its content; undefined without a file. */
export type AtPath = { readonly sha256: string } | undefined

/** Throws if a file must not be written or deleted in its current state; checked again inside the transaction. */
export type Precondition = (current: AtPath) => void

/** Accepts any state. */
export const anyState: Precondition = () => {}

/** Requires that no file exists. @throws `file_taken` */
export const mustBeFree: Precondition = current => {
  if (current) throw filesErrors.file_taken()
}

/** Requires an unchanged state. @throws `file_changed` */
export const unchanged =
  (seen: { readonly sha256: string }): Precondition =>
  current => {
    if (current?.sha256 !== seen.sha256) throw filesErrors.file_changed()
  }

/** Entity tags of a header, or `*`. Invalid tags are omitted, because they match nothing. */
export type EntityTags = '*' | readonly string[]

/** Headers of a conditional request. */
export interface ConditionHeaders {
  readonly ifMatch?: EntityTags
  readonly ifNoneMatch?: EntityTags
}

/**
 * Returns the conditions of RFC 9110, section 13: a request that changes an existing file must name its state (RFC
 * 6585, section 3).
 *
 * @throws `file_changed`, `file_condition_missing`
 */
export const fromHeaders =
  ({ ifMatch, ifNoneMatch }: ConditionHeaders): Precondition =>
  current => {
    if (ifMatch && !matches(ifMatch, current)) throw filesErrors.file_changed()
    if (ifNoneMatch && matches(ifNoneMatch, current)) throw filesErrors.file_changed()
    if (current && !ifMatch && !ifNoneMatch) throw filesErrors.file_condition_missing()
  }

/** Returns whether a header matches the current state. */
export const matches = (tags: EntityTags, current: AtPath): boolean =>
  current !== undefined && (tags === '*' || tags.includes(current.sha256))
