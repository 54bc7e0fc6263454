import { creditsErrors } from '../credits-errors.ts'

/** A place in a list that is ordered by time, and of one time by a text. */
export interface Place {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly key: string
}

/** A place as a client sends it back. */
export const cursorOf = ({ at, key }: Place): string => Buffer.from(`${at}.${key}`).toString('base64url')

/** The place of a cursor. Throws `credits_cursor_invalid`. */
export const placeOf = (cursor: string): Place => {
  const [, at, key] = /^(-?\d{1,15})\.([\w:-]{1,200})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (at === undefined || key === undefined) throw creditsErrors.credits_cursor_invalid()
  return { at: Number(at), key }
}
