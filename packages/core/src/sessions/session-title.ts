import { storable } from './turn-message.ts'

/** Longest title of a session, in characters. */
const longest = 80

/** The title of a session that begins with a text: the beginning of its first line. */
export const sessionTitle = (text: string): string => storable(text.trim().split('\n', 1)[0]!.trim().slice(0, longest))
