import { cleanText } from '@sibyl/plugin'
import type { personNotices, ServiceOf } from '@sibyl/protocol'
import type { MatrixClient } from '../client/matrix-client.ts'
import { matrixFailures } from '../client/matrix-errors.ts'
import { joinedRooms, type RoomFacts } from '../rooms/room-facts.ts'
import type { MatrixHost } from '../store/matrix-tables.ts'
import { putIntoOutbox } from './outbox.ts'

export const createWritableRooms = (host: MatrixHost, client: Pick<MatrixClient, 'roomOf'>, botId: () => string) => {
  /** Returns the id of a room from its id or alias. */
  const idOf = async (name: string): Promise<string | undefined> => {
    if (!name.startsWith('#')) return name
    return client.roomOf(name, AbortSignal.timeout(10_000)).catch(() => undefined)
  }
  const ownRoom = async (did: string): Promise<RoomFacts> => {
    const userId = await userOf(did)
    if (userId === undefined) throw matrixFailures.matrix_room_missing()
    const rooms = await joinedRooms(host.storage.read, botId(), { withUser: userId })
    const own = rooms.find(({ members }) => members.size === 1)
    if (!own) throw matrixFailures.matrix_room_missing()
    return own
  }
  const userOf = async (did: string): Promise<string | undefined> => {
    const row = await host.storage.read
      .selectFrom('matrix_people')
      .select('user_id')
      .where('did', '=', did)
      .executeTakeFirst()
    return row?.user_id
  }
  return {
    /** Returns the rooms, most active first. */
    async of(did: string): Promise<readonly RoomFacts[]> {
      const { storage, access, env } = host
      const isOwn = ({ roomId }: RoomFacts) => roomId === env.MATRIX_ORACLE_ACCOUNT_ROOM_ID
      if (access.controllers.includes(did)) return joinedRooms(storage.read, botId())
      const userId = await userOf(did)
      if (userId !== undefined) {
        return (await joinedRooms(storage.read, botId(), { withUser: userId })).filter(room => !isOwn(room))
      }
      const shared = env.MATRIX_SHARED_ROOMS ?? []
      if (shared.length === 0) return []
      const ids = (await Promise.all(shared.map(name => idOf(name)))).filter(id => id !== undefined)
      return (await joinedRooms(storage.read, botId(), { roomIds: ids })).filter(room => !isOwn(room))
    },
    /**
     * Returns a room by its id, its alias, or its unique name. The homeserver resolves an alias, because a room may claim
     * another room's.
     *
     * @param to By default the user's direct room.
     * @throws `matrix_room_unknown`, `matrix_room_missing`
     */
    async find(did: string, to: string | undefined): Promise<RoomFacts> {
      if (to === undefined) return ownRoom(did)
      const rooms = await this.of(did)
      const wanted = to.trim()
      const roomId = rooms.length > 0 ? await idOf(wanted) : undefined
      const exact = rooms.find(room => room.roomId === roomId)
      if (exact) return exact
      const named = rooms.filter(room => shownName(room).toLowerCase() === wanted.toLowerCase())
      if (named.length !== 1 || wanted.startsWith('#')) throw matrixFailures.matrix_room_unknown()
      return named[0]!
    },
  }
}

/**
 * Rooms to which a user may have the bot write: for a controller of the oracle all rooms of the bot, for a Matrix user
 * their own rooms, for other users those of `MATRIX_SHARED_ROOMS`.
 */
export type WritableRooms = ReturnType<typeof createWritableRooms>

/** Returns the name of a room for users. */
export const shownName = ({ name, alias, members, roomId }: RoomFacts): string => {
  if (name !== null) return name
  if (alias !== null) return alias
  const [first] = members
  return members.size === 1 && first ? (first[1] ?? first[0]) : roomId
}

/** Maximum length of a message, in characters. */
export const maxMessage = 20_000
/** Maximum number of messages that may wait. */
const maxWaiting = 5_000

/**
 * Creates the notices in Matrix rooms, for other plugins and the agent's tool.
 *
 * @param onQueued Called when a message was queued.
 */
export const roomNotices = (
  { storage, clock }: Pick<MatrixHost, 'storage' | 'clock'>,
  rooms: WritableRooms,
  onQueued: () => void,
): ServiceOf<typeof personNotices.matrix> => ({
  async addressOf({ did, to }) {
    const room = await rooms.find(did, to)
    return { to: room.roomId, shown: shownName(room) }
  },
  async send({ did, to, text, idempotencyKey }) {
    const body = text.replaceAll('\0', '').toWellFormed().trim()
    if (body.length > maxMessage || cleanText(body) === '')
      throw matrixFailures.matrix_text_invalid({ most: maxMessage })
    const { roomId } = await rooms.find(did, to)
    await storage.write(async tx => {
      const { waiting } = await tx
        .selectFrom('matrix_outbox')
        .select(({ fn }) => fn.countAll<number>().as('waiting'))
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow()
      if (Number(waiting) >= maxWaiting) throw matrixFailures.matrix_outbox_full()
      await putIntoOutbox(tx, {
        key: `notice ${did} ${idempotencyKey}`,
        roomId,
        text: body,
        did,
        now: clock.now(),
      })
    })
    onQueued()
  },
})
