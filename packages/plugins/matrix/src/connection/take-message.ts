import { z } from 'zod'
import { readDecision } from '../answers/asked-questions.ts'
import { openQuestion } from '../answers/open-questions.ts'
import { contentText, type MatrixEvent, readRelation } from '../client/matrix-event.ts'
import { captionOf, readRoomMedia } from '../client/room-media.ts'
import { keepRoomMessage } from '../memory/room-messages.ts'
import type { MatrixTransaction } from '../store/matrix-tables.ts'

/**
 * Maximum number of messages that may wait for an answer: in a room, in all rooms, and including those of rooms that
 * currently reject messages.
 */
export const maxWaiting = { room: 20, all: 1_000, kept: 5_000 }

/** Time for which a question in a group accepts an answer that is not addressed to the bot, in milliseconds. */
const openMs = 600_000

/** Facts about a room for the classification of its messages. */
export interface RoomContext {
  readonly roomId: string
  readonly isDirect: boolean
  readonly own: OwnNames
  /** Names of its members, by user id. */
  readonly names: ReadonlyMap<string, string>
  /** True if the talk of groups is stored. */
  readonly keepsTalk: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Stores a message.
 *
 * @returns `known`: it was stored before, or is irrelevant; `heard`: stored as talk at most; `waiting`: it will be
 * answered; `overflow`: too many messages wait
 */
export const takeMessage = async (
  tx: MatrixTransaction,
  room: RoomContext,
  event: MatrixEvent,
): Promise<'known' | 'heard' | 'waiting' | 'overflow'> => {
  const { id, sender, content } = event
  const { roomId, own, isDirect, now } = room
  if (id === undefined) return 'known'
  const { replaces, thread } = readRelation(content)
  const media = replaces === undefined ? readRoomMedia(content) : undefined
  const report = media ? captionOf(content) : textOf(content)
  if (report === undefined) return 'known'
  if (replaces !== undefined) {
    if (sender !== own.userId) await takeEdit(tx, room, event, replaces)
    return 'known'
  }
  const text = withoutQuote(report)
  const talk = { eventId: id, roomId, sender, name: room.names.get(sender) ?? sender, text, at: now }
  if (sender === own.userId) {
    await tx
      .insertInto('matrix_sent')
      .values({ event_id: id, room_id: roomId, thread: thread ?? null, at: now })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    if (!isDirect && room.keepsTalk && text !== '') await keepRoomMessage(tx, talk)
    return 'known'
  }
  if (content.msgtype === 'm.notice' || content['m.automated'] === true) return 'known'
  if (!isDirect && room.keepsTalk && text !== '') await keepRoomMessage(tx, talk)
  if (!(isDirect || (await isAddressed(tx, room, event)))) return 'heard'
  const body = withoutName(text, own)
  return enqueue(tx, room, { id, sender, thread: thread ?? null, body, media: media ? JSON.stringify(media) : '' })
}

/** Returns the text of a message; undefined for files and other content. */
const textOf = (content: MatrixEvent['content']): string | undefined => {
  const { msgtype, body } = content
  if (msgtype !== 'm.text' && msgtype !== 'm.emote' && msgtype !== 'm.notice') return undefined
  const text = contentText(body, 64_000)?.trim()
  return text === '' ? undefined : text
}

const enqueue = async (
  tx: MatrixTransaction,
  { roomId, now }: RoomContext,
  message: {
    readonly id: string
    readonly sender: string
    readonly thread: string | null
    readonly body: string
    readonly media: string
  },
): Promise<'known' | 'waiting' | 'overflow'> => {
  const { id: event_id, ...rest } = message
  const waiting = await tx
    .selectFrom('matrix_inbox')
    .select(({ fn }) => [
      fn.countAll<number>().as('kept'),
      fn.count<number>('place').filterWhere('retry_at', '=', 0).as('all'),
      fn.count<number>('place').filterWhere('room_id', '=', roomId).as('room'),
    ])
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  const isFull =
    Number(waiting.room) >= maxWaiting.room ||
    Number(waiting.all) >= maxWaiting.all ||
    Number(waiting.kept) >= maxWaiting.kept
  const row = { ...rest, event_id, room_id: roomId, tries: 0, at: now }
  const added = await tx
    .insertInto('matrix_inbox')
    .values(isFull ? { ...row, state: 'done', body: '', media: '' } : { ...row, state: 'waiting' })
    .onConflict(conflict => conflict.column('event_id').doNothing())
    .returning('place')
    .execute()
  if (added.length === 0) return 'known'
  return isFull ? 'overflow' : 'waiting'
}

/** Returns whether a message in a group is addressed to the bot. */
const isAddressed = async (
  tx: MatrixTransaction,
  { roomId, own, now }: RoomContext,
  { sender, content }: MatrixEvent,
): Promise<boolean> => {
  const body = textOf(content) ?? captionOf(content)
  if (namesBot(content, withoutQuote(body), own)) return true
  const { thread, repliesTo } = readRelation(content)
  const isOwn = async (eventId: string) =>
    (await tx.selectFrom('matrix_sent').select('event_id').where('event_id', '=', eventId).execute()).length > 0
  if (repliesTo !== undefined && (await isOwn(repliesTo))) return true
  if (thread !== undefined) {
    if (await isOwn(thread)) return true
    const part = await tx
      .selectFrom('matrix_sent')
      .select('event_id')
      .where(eb => eb.and({ room_id: roomId, thread }))
      .limit(1)
      .execute()
    if (part.length > 0) return true
  }
  const question = await openQuestion(tx, { roomId, userId: sender })
  if (!question || question.at <= now - openMs) return false
  const decision = readDecision(body, question.field)
  return decision !== undefined && decision !== 'again'
}

/** Applies an edit, which is not a new question: it changes a waiting message, and the stored talk. */
const takeEdit = async (
  tx: MatrixTransaction,
  { own }: RoomContext,
  { sender, content }: MatrixEvent,
  replaced: string,
): Promise<void> => {
  const newContent = content['m.new_content']
  const text =
    typeof newContent === 'object' && newContent !== null ? textOf(newContent as MatrixEvent['content']) : undefined
  if (text === undefined) return
  await tx
    .updateTable('matrix_inbox')
    .set({ body: withoutName(withoutQuote(text), own) })
    .where(eb => eb.and({ event_id: replaced, sender, state: 'waiting', tries: 0 }))
    .execute()
  await tx
    .updateTable('matrix_room_messages')
    .set({ text: text.slice(0, 1_000).toWellFormed() })
    .where(eb => eb.and({ event_id: replaced, sender }))
    .execute()
}

const mentions = z.object({ user_ids: z.array(z.string().max(255)).max(1_000) })

/** Names of the bot in a room. */
export interface OwnNames {
  readonly userId: string
  readonly displayName: string | undefined
}

/** Returns whether a message names the bot: as a mention, by its display name, or by its full id. */
const namesBot = (content: MatrixEvent['content'], body: string, { userId, displayName }: OwnNames): boolean => {
  const listed = mentions.safeParse(content['m.mentions']).data?.user_ids.includes(userId) === true
  return listed || [userId, displayName].some(name => name !== undefined && hasName(body, name))
}

/** Removes the bot's name from the beginning of a message: `Oracle: what …`. */
const withoutName = (body: string, { userId, displayName }: OwnNames): string => {
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

/** Returns a body without the quotation that clients put before a reply. */
const withoutQuote = (body: string): string =>
  /^> /.test(body) ? body.replace(/^(?:>[^\n]*\n)+\n?/, '').trim() || body : body
