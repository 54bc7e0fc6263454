import { z } from 'zod'
import type { MatrixEvent } from '../client/matrix-event.ts'

const mentions = z.object({ user_ids: z.array(z.string().max(255)).max(1_000) })

/** Who the bot is in a room. */
export interface OwnNames {
  readonly userId: string
  /** Its display name there, where it has one. */
  readonly displayName: string | undefined
}

/** Whether a message names the bot: as a mention, by its display name, or by its full id. */
export const namesBot = (content: MatrixEvent['content'], body: string, { userId, displayName }: OwnNames): boolean => {
  const listed = mentions.safeParse(content['m.mentions']).data?.user_ids.includes(userId) === true
  return listed || [userId, displayName].some(name => name !== undefined && hasName(body, name))
}

/** Takes the bot's name off the beginning of a message that is addressed with it: `Oracle: what …`. */
export const withoutName = (body: string, { userId, displayName }: OwnNames): string => {
  for (const name of [userId, displayName]) {
    if (name === undefined || name.trim() === '') continue
    const [, rest] = new RegExp(`^@?${escaped(name)}(?=[\\s:,;])[:,;]?\\s*(.+)$`, 'isu').exec(body) ?? []
    if (rest !== undefined) return rest
  }
  return body
}

const hasName = (body: string, name: string): boolean =>
  name.trim() !== '' && new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(name)}(?![\\p{L}\\p{N}_])`, 'iu').test(body)

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** A body without the quotation that clients put in front of a reply. */
export const withoutQuote = (body: string): string =>
  /^> /.test(body) ? body.replace(/^(?:>[^\n]*\n)+\n?/, '').trim() || body : body
