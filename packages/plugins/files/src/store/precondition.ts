import { filesErrors } from '../definitions/files-errors.ts'

/** What is at a path: the hash of its content; undefined where there is no file. */
export type AtPath = { readonly sha256: string } | undefined

/** Throws where a file may not be written or deleted, by what is there; asked again inside the transaction. */
export type Precondition = (current: AtPath) => void

/** Whatever is there. */
export const anyState: Precondition = () => {}

/** Nothing may be there. @throws `file_taken` */
export const mustBeFree: Precondition = current => {
  if (current) throw filesErrors.file_taken()
}

/** What was seen has to be there still. @throws `file_changed` */
export const unchanged =
  (seen: { readonly sha256: string }): Precondition =>
  current => {
    if (current?.sha256 !== seen.sha256) throw filesErrors.file_changed()
  }

/** The entity tags of a header, or `*`. Weak ones and what is none are left out: they match nothing. */
export type EntityTags = '*' | readonly string[]

/** The headers of a conditional request, as far as they are sent. */
export interface ConditionHeaders {
  readonly ifMatch?: EntityTags
  readonly ifNoneMatch?: EntityTags
}

/**
 * The conditions of RFC 9110, section 13: a request that changes what is there has to say what that is (RFC 6585, section 3).
 *
 * @throws `file_changed`, `file_condition_missing`
 */
export const asHeadersSay =
  ({ ifMatch, ifNoneMatch }: ConditionHeaders): Precondition =>
  current => {
    if (ifMatch && !matches(ifMatch, current)) throw filesErrors.file_changed()
    if (ifNoneMatch && matches(ifNoneMatch, current)) throw filesErrors.file_changed()
    if (current && !ifMatch && !ifNoneMatch) throw filesErrors.file_condition_missing()
  }

/** Whether a header names what is there. */
export const matches = (tags: EntityTags, current: AtPath): boolean =>
  current !== undefined && (tags === '*' || tags.includes(current.sha256))
