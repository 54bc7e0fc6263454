import type { MatrixStorage } from '../store/matrix-tables.ts'

export interface RoomFacts {
  readonly roomId: string
  readonly name: string | null
  readonly alias: string | null
  /** True if every text in it is addressed to the bot: it has two members, or was created as a direct room. */
  readonly isDirect: boolean
  /** Members besides the bot, by user id. */
  readonly members: ReadonlyMap<string, string | null>
}

/** Returns the rooms that the bot is in, most active first. @param which Their ids; all without it. */
export const joinedRooms = async (
  read: Pick<MatrixStorage['read'], 'selectFrom'>,
  botId: string,
  which: { readonly roomIds?: readonly string[]; readonly withUser?: string } = {},
): Promise<RoomFacts[]> => {
  let rooms = read.selectFrom('matrix_rooms').selectAll().where('stands', '=', 'joined')
  if (which.roomIds?.length === 0) return []
  if (which.roomIds) rooms = rooms.where('room_id', 'in', which.roomIds)
  if (which.withUser !== undefined) {
    const joined = { user_id: which.withUser, stands: 'joined' } as const
    const theirs = read
      .selectFrom('matrix_members')
      .select('room_id')
      .where(eb => eb.and(joined))
    rooms = rooms.where('room_id', 'in', theirs)
  }
  const found = await rooms.orderBy('touched_at', 'desc').orderBy('room_id').limit(500).execute()
  if (found.length === 0) return []
  const members = await read
    .selectFrom('matrix_members')
    .selectAll()
    .where('stands', '=', 'joined')
    .where('user_id', '!=', botId)
    .where(
      'room_id',
      'in',
      found.map(room => room.room_id),
    )
    .orderBy('user_id')
    .execute()
  const byRoom = Map.groupBy(members, member => member.room_id)
  return found.map(({ room_id: roomId, name, alias, is_direct }) => {
    const others = new Map((byRoom.get(roomId) ?? []).map(member => [member.user_id, member.name]))
    return { roomId, name, alias, isDirect: is_direct || others.size === 1, members: others }
  })
}
