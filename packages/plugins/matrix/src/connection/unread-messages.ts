import type { MatrixEvent } from '../client/matrix-event.ts'
import { isEncryption, type OpenedBatch, type SealedMessage } from '../encryption/opened-batch.ts'
import { claimRatchet } from '../encryption/ratchet-claims.ts'
import { sessionIdOf } from '../encryption/ratchet-place.ts'
import { putIntoOutbox } from '../notices/outbox.ts'
import type { MatrixTransaction } from '../store/matrix-tables.ts'

const texts = {
  off: 'I cannot read encrypted messages. Please write to me in a room without encryption.',
  withheld:
    'I cannot read your messages: your client gives their keys only to verified devices. Please allow unverified devices in this room.',
  forged: 'I did not read a message, because the device that encrypted it is not one of its sender.',
  replayed:
    'I did not read a message, because it is a copy or came after later ones. Please send it again if it is yours.',
  plain: 'I only read encrypted messages in this room. Please send your message with encryption.',
}

/** Why a message is not read, as reported to its room. */
type Reported = keyof typeof texts

/** A message with which the homeserver may try to deceive the bot. */
export interface SuspectMessage {
  readonly roomId: string
  readonly eventId: string | undefined
  readonly why: Extract<Reported, 'forged' | 'replayed' | 'plain'>
}

interface TimelineContext {
  readonly roomId: string
  /** The bot. */
  readonly userId: string
  /** Encrypted messages without a key. */
  readonly unread: ReadonlyMap<MatrixEvent, SealedMessage>
  readonly places: OpenedBatch['places']
  /** True if the bot does not read encrypted rooms. */
  readonly isOff: boolean
  /** True if the room is encrypted before the timeline. */
  readonly isEncrypted: boolean
}

/**
 * Returns a function that takes the events of a timeline in order, claims the places of decrypted messages, and returns why an
 * event is not read as a message; undefined if it is.
 */
export const unreadReasons = (
  tx: MatrixTransaction,
  { roomId, userId, unread, places, isOff, isEncrypted: isEncryptedBefore }: TimelineContext,
): ((event: MatrixEvent) => Promise<Reported | 'missing' | 'irrelevant' | undefined>) => {
  let isEncrypted = isEncryptedBefore
  return async event => {
    const { type, sender, id } = event
    isEncrypted ||= isEncryption(event)
    const isSealed = type === 'm.room.encrypted'
    const place = places.get(event)
    if (!isSealed && type !== 'm.room.message') return 'irrelevant'
    if (sender === userId) return isSealed || (isEncrypted && !place) ? 'irrelevant' : undefined
    if (isSealed) return unread.get(event)?.fault ?? (isOff || !isEncrypted ? 'off' : 'irrelevant')
    if (!place) return isEncrypted ? (isOff ? 'off' : 'plain') : undefined
    const claimed = id === undefined ? 'known' : await claimRatchet(tx, { ...place, roomId, eventId: id })
    if (claimed === 'new') return undefined
    return claimed === 'known' ? 'irrelevant' : 'replayed'
  }
}

/** Reports a message that is not read in its room, once for each reason. */
export const reportUnread = async (
  tx: MatrixTransaction,
  {
    roomId,
    event,
    why,
    now,
  }: { readonly roomId: string; readonly event: MatrixEvent; readonly why: Reported; readonly now: number },
): Promise<void> => {
  if (why === 'off') {
    const { numUpdatedRows } = await tx
      .updateTable('matrix_rooms')
      .set({ told_encrypted: true })
      .where(eb => eb.and({ room_id: roomId, told_encrypted: false }))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
  }
  const from = why === 'withheld' ? `${roomId} ${event.sender} ${sessionIdOf(event)}` : roomId
  const key = `${why === 'off' ? 'encrypted' : why} ${from}`
  await putIntoOutbox(tx, { key, roomId, text: texts[why], did: '', now })
}
