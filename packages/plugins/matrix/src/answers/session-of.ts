import { createHash } from 'node:crypto'

/** The session of a room, or of a thread in it; each person has an own one of that name. */
export const sessionOf = (roomId: string, thread: string | null): string =>
  `matrix-${createHash('sha256')
    .update(`${roomId}\n${thread ?? ''}`)
    .digest('hex')
    .slice(0, 32)}`

/** A name for an event that is short and shows nothing of it: for transaction ids and limits. */
export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
