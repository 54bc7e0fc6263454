import { contentText, type MatrixEvent, matrixUserId } from '../client/matrix-event.ts'
import type { MatrixTransaction } from '../store/matrix-tables.ts'

/** Maximum number of stored members of a room; messages of others are still answered. */
const maxMembers = 5_000

type RoomPatch = { name?: string | null; alias?: string | null; is_encrypted?: boolean }

/** Changes of a stored room from its state events. */
export interface StateChanges {
  readonly room: RoomPatch
  /** Members by user id; undefined for one who left. */
  readonly members: ReadonlyMap<
    string,
    { readonly stands: 'joined' | 'invited'; readonly name: string | null } | undefined
  >
}

/** Reads the state from events, the latest of each kind. */
export const readState = (events: readonly MatrixEvent[]): StateChanges => {
  const room: RoomPatch = {}
  const members = new Map<string, { stands: 'joined' | 'invited'; name: string | null } | undefined>()
  for (const { type, content, stateKey } of events) {
    if (stateKey === undefined) continue
    if (type === 'm.room.name' && stateKey === '') room.name = lineOf(content.name)
    if (type === 'm.room.canonical_alias' && stateKey === '') room.alias = lineOf(content.alias)
    if (type === 'm.room.encryption' && stateKey === '') room.is_encrypted = true
    if (type === 'm.room.member' && matrixUserId.safeParse(stateKey).success) {
      const stands = { join: 'joined', invite: 'invited' }[String(content.membership)] as
        | 'joined'
        | 'invited'
        | undefined
      members.set(stateKey, stands && { stands, name: lineOf(content.displayname) })
    }
  }
  return { room, members }
}

/** Returns a name on one line, without invisible characters; null if nothing is left. */
const lineOf = (value: unknown): string | null =>
  contentText(value, 200)
    ?.replace(/[\p{Cc}\p{Cf}\p{DI}\s]+/gu, ' ')
    .trim() || null

/** Writes the changes of a room's state. */
export const writeState = async (
  tx: MatrixTransaction,
  roomId: string,
  { room, members }: StateChanges,
): Promise<void> => {
  if (Object.keys(room).length > 0) {
    await tx.updateTable('matrix_rooms').set(room).where('room_id', '=', roomId).execute()
  }
  const gone = [...members].flatMap(([userId, member]) => (member ? [] : [userId]))
  const here = [...members].flatMap(([user_id, member]) => (member ? [{ room_id: roomId, user_id, ...member }] : []))
  for (const some of chunks(gone)) {
    await tx.deleteFrom('matrix_members').where('room_id', '=', roomId).where('user_id', 'in', some).execute()
  }
  for (const some of chunks(here.slice(0, maxMembers))) {
    await tx
      .insertInto('matrix_members')
      .values(some)
      .onConflict(conflict =>
        conflict
          .columns(['room_id', 'user_id'])
          .doUpdateSet(row => ({ stands: row.ref('excluded.stands'), name: row.ref('excluded.name') })),
      )
      .execute()
  }
}

/** Replaces the stored members of a room. */
export const writeAllMembers = async (
  tx: MatrixTransaction,
  roomId: string,
  all: ReadonlyMap<string, string | null>,
): Promise<void> => {
  await tx.deleteFrom('matrix_members').where('room_id', '=', roomId).execute()
  const members = new Map([...all].map(([userId, name]) => [userId, { stands: 'joined' as const, name: lineOf(name) }]))
  await writeState(tx, roomId, { room: {}, members })
}

function* chunks<Entry>(entries: readonly Entry[]): Generator<Entry[]> {
  for (let start = 0; start < entries.length; start += 200) yield entries.slice(start, start + 200)
}

/**
 * Deletes a stored room; events of its messages stay known. It belongs to the write that stores that the bot left.
 * Stored data of rooms is limited, except for messages of the last 30 days.
 */
export const forgetRoom = async (tx: MatrixTransaction, roomId: string): Promise<void> => {
  for (const table of [
    'matrix_rooms',
    'matrix_members',
    'matrix_sent',
    'matrix_questions',
    'matrix_room_messages',
    'matrix_room_summaries',
    'matrix_conversations',
    'matrix_sealed',
    'matrix_undecrypted',
  ] as const) {
    await tx.deleteFrom(table).where('room_id', '=', roomId).execute()
  }
  await tx
    .updateTable('matrix_inbox')
    .set({ state: 'done', body: '', media: '' })
    .where(eb => eb.and({ room_id: roomId, state: 'waiting' }))
    .execute()
  await tx
    .updateTable('matrix_outbox')
    .set({ state: 'failed', text: '' })
    .where(eb => eb.and({ room_id: roomId, state: 'waiting' }))
    .execute()
}
