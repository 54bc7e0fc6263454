import type { MatrixStorage, MatrixTransaction } from '../store/matrix-tables.ts'

/** Limits of stored talk: characters of one message, messages, and age in milliseconds. */
export const kept = { characters: 1_000, messages: 200, ageMs: 7 * 86_400_000 }

/** A message in a group. */
export interface RoomMessage {
  readonly eventId: string
  readonly roomId: string
  readonly sender: string
  readonly name: string
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Stores a message of a group's talk, and deletes the oldest ones. */
export const keepRoomMessage = async (
  tx: MatrixTransaction,
  { eventId, roomId, sender, name, text, at }: RoomMessage,
): Promise<void> => {
  await tx
    .insertInto('matrix_room_messages')
    .values({
      event_id: eventId,
      room_id: roomId,
      sender,
      name,
      text: text.slice(0, kept.characters).toWellFormed(),
      at,
    })
    .onConflict(conflict => conflict.column('event_id').doNothing())
    .execute()
  const oldest = await tx
    .selectFrom('matrix_room_messages')
    .select('place')
    .where('room_id', '=', roomId)
    .orderBy('place', 'desc')
    .offset(kept.messages)
    .limit(1)
    .executeTakeFirst()
  if (oldest) {
    await tx
      .deleteFrom('matrix_room_messages')
      .where('room_id', '=', roomId)
      .where('place', '<=', oldest.place)
      .execute()
  }
}

/** Returns the latest talk of a group, oldest first. @param since Milliseconds since 1970. */
export const roomTalk = async (read: MatrixStorage['read'], roomId: string, since: number) => {
  const rows = await read
    .selectFrom('matrix_room_messages')
    .selectAll()
    .where('room_id', '=', roomId)
    .where('at', '>', since)
    .orderBy('place', 'desc')
    .limit(kept.messages)
    .execute()
  return rows.toReversed()
}
