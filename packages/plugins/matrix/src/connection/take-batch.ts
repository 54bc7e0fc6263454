import { contentText, type MatrixEvent } from '../client/matrix-event.ts'
import type { JoinedRoom, SyncBatch } from '../client/read-sync.ts'
import { isEncryption, type OpenedBatch, type SealedMessage } from '../encryption/opened-batch.ts'
import type { RoomEncryption } from '../encryption/room-encryption.ts'
import { forgetRoom, readState, writeAllMembers, writeState } from '../rooms/room-state.ts'
import type { Lease } from '../store/lease.ts'
import type { MatrixEnv } from '../store/matrix-env.ts'
import type { MatrixStorage, MatrixTransaction } from '../store/matrix-tables.ts'
import { type RoomContext, takeMessage } from './take-message.ts'
import { reportUnread, type SuspectMessage, unreadReasons } from './unread-messages.ts'

export interface TakeBatchDependencies {
  readonly storage: MatrixStorage
  readonly lease: Lease
  readonly encryption: Pick<RoomEncryption, 'waiting' | 'write'>
  readonly env: Pick<MatrixEnv, 'MATRIX_INVITES' | 'MATRIX_ORACLE_ACCOUNT_ROOM_ID' | 'MATRIX_ROOM_TOKENS'>
  readonly now: () => number
}

/** Changes of a batch. */
export interface TakenBatch {
  /** Rooms with too many waiting messages. */
  readonly overflowing: readonly string[]
  /** Groups with new talk. */
  readonly spokenIn: readonly string[]
  /** Messages that were not read, for the log. */
  readonly suspects: readonly SuspectMessage[]
}

/**
 * Stores a batch: rooms, members, messages to answer and the position, all in one transaction. Known events change
 * nothing.
 *
 * @param first True for the first batch of a user: earlier messages are not answered.
 * @throws `matrix_lease_lost`
 */
export const takeBatch = (
  { storage, lease, encryption, env, now }: TakeBatchDependencies,
  { batch, released, sealed, places, changes, isOff }: OpenedBatch,
  { userId, first }: { readonly userId: string; readonly first: boolean },
): Promise<TakenBatch> =>
  storage.write(async tx => {
    await lease.hold(tx)
    await encryption.write(tx, changes)
    await encryption.waiting.remove(tx, released)
    const unread = new Map(sealed.map(message => [message.event, message]))
    const overflowing: string[] = []
    const spokenIn: string[] = []
    const suspects: SuspectMessage[] = []
    if (first) await forgetOtherRooms(tx, batch)
    for (const invite of batch.invited) await takeInvite(tx, invite, { userId, env, now: now() })
    for (const roomId of batch.left) await forgetRoom(tx, roomId)
    for (const room of batch.joined) {
      const taken = await takeRoom(tx, room, { userId, first, now: now(), env, encryption, unread, places, isOff })
      if (taken.isOverflowing) overflowing.push(room.roomId)
      if (taken.hasTalk) spokenIn.push(room.roomId)
      suspects.push(...taken.suspects)
    }
    await tx
      .insertInto('matrix_accounts')
      .values({ user_id: userId, next_batch: batch.nextBatch })
      .onConflict(conflict => conflict.column('user_id').doUpdateSet({ next_batch: batch.nextBatch }))
      .execute()
    return { overflowing, spokenIn, suspects }
  })

/** Deletes stored rooms that are not in a user's first batch, because they belong to another user. */
const forgetOtherRooms = async (tx: MatrixTransaction, { joined, invited }: SyncBatch): Promise<void> => {
  const own = new Set([...joined, ...invited].map(({ roomId }) => roomId))
  const rooms = await tx.selectFrom('matrix_rooms').select('room_id').execute()
  for (const { room_id } of rooms) if (!own.has(room_id)) await forgetRoom(tx, room_id)
}

const newRoom = (room_id: string, stands: 'invited' | 'joined' | 'leaving', touched_at: number, is_direct = false) => ({
  room_id,
  stands,
  name: null,
  alias: null,
  is_direct,
  is_encrypted: false,
  told_encrypted: false,
  touched_at,
})

interface TakenBy {
  readonly userId: string
  readonly first: boolean
  readonly now: number
  readonly env: TakeBatchDependencies['env']
  readonly encryption: TakeBatchDependencies['encryption']
  /** Encrypted messages without a key. */
  readonly unread: ReadonlyMap<MatrixEvent, SealedMessage>
  readonly places: OpenedBatch['places']
  /** True if the bot does not read encrypted rooms. */
  readonly isOff: boolean
}

const takeInvite = async (
  tx: MatrixTransaction,
  { roomId, state }: SyncBatch['invited'][number],
  { userId, env, now }: Pick<TakenBy, 'userId' | 'env' | 'now'>,
): Promise<void> => {
  const invite = state.findLast(event => event.type === 'm.room.member' && event.stateKey === userId)
  const stands = invite && mayInvite(invite.sender, env.MATRIX_INVITES) ? 'invited' : 'leaving'
  const isDirect = invite?.content.is_direct === true
  await tx
    .insertInto('matrix_rooms')
    .values(newRoom(roomId, stands, now, isDirect))
    .onConflict(conflict => conflict.column('room_id').doUpdateSet({ stands, is_direct: isDirect }))
    .execute()
}

const takeRoom = async (
  tx: MatrixTransaction,
  { roomId, state, timeline, members: all, gapBefore }: JoinedRoom,
  { userId, first, now, env, encryption, unread, places, isOff }: TakenBy,
): Promise<{
  readonly isOverflowing: boolean
  readonly hasTalk: boolean
  readonly suspects: readonly SuspectMessage[]
}> => {
  const known = await tx.selectFrom('matrix_rooms').selectAll().where('room_id', '=', roomId).executeTakeFirst()
  const isInvitedDirectly = [...state, ...timeline].some(
    ({ type, stateKey, content }) =>
      type === 'm.room.member' && stateKey === userId && content.membership === 'invite' && content.is_direct === true,
  )
  if (!known)
    await tx
      .insertInto('matrix_rooms')
      .values(newRoom(roomId, 'joined', now, isInvitedDirectly))
      .execute()
  else if (known.stands === 'invited') {
    const is_direct = known.is_direct || isInvitedDirectly
    await tx.updateTable('matrix_rooms').set({ stands: 'joined', is_direct }).where('room_id', '=', roomId).execute()
  }
  await writeState(tx, roomId, readState([...state, ...timeline]))
  if (all !== undefined && all !== 'unreadable') await writeAllMembers(tx, roomId, all)
  const members = await tx.selectFrom('matrix_members').selectAll().where('room_id', '=', roomId).execute()
  const joined = members.filter(({ stands }) => stands === 'joined')
  const others = joined.filter(({ user_id }) => user_id !== userId)
  const isAccountRoom = roomId === env.MATRIX_ORACLE_ACCOUNT_ROOM_ID
  const userLeft = timeline.some(
    ({ type, stateKey, content }) =>
      type === 'm.room.member' && stateKey !== userId && /^(leave|ban)$/.test(String(content.membership)),
  )
  const isEmpty = userLeft && members.every(({ user_id }) => user_id === userId)
  if (isAccountRoom) return { isOverflowing: false, hasTalk: false, suspects: [] }
  if (isEmpty || all === 'unreadable') {
    await tx.updateTable('matrix_rooms').set({ stands: 'leaving' }).where('room_id', '=', roomId).execute()
    return { isOverflowing: false, hasTalk: false, suspects: [] }
  }
  const room: RoomContext = {
    roomId,
    isDirect: known?.is_direct === true || isInvitedDirectly || others.length === 1,
    own: { userId, displayName: joined.find(({ user_id }) => user_id === userId)?.name ?? undefined },
    names: new Map(joined.map(({ user_id, name }) => [user_id, name ?? user_id])),
    keepsTalk: env.MATRIX_ROOM_TOKENS > 0,
    now,
  }
  const from = first
    ? timeline.length
    : known?.stands === 'joined'
      ? 0
      : sinceInvitation(timeline, userId, known !== undefined)
  const unreadReason = unreadReasons(tx, {
    roomId,
    userId,
    unread,
    places,
    isOff,
    /** The state of a room in which the bot missed messages is newer than them. */
    isEncrypted:
      known?.is_encrypted === true ||
      ((gapBefore === undefined || known?.stands !== 'joined') && state.some(isEncryption)),
  })
  const suspects: SuspectMessage[] = []
  let isOverflowing = false
  let hasTalk = false
  for (const [place, event] of timeline.entries()) {
    const why = await unreadReason(event)
    if (place < from) continue
    if (event.type === 'm.room.redaction') await takeRedaction(tx, roomId, event)
    if (why === 'missing') await encryption.waiting.add(tx, { roomId, event })
    else if (why !== undefined && why !== 'irrelevant') {
      await reportUnread(tx, { roomId, event, why, now })
      if (why !== 'off' && why !== 'withheld') suspects.push({ roomId, eventId: event.id, why })
    }
    if (why !== undefined) continue
    const taken = await takeMessage(tx, room, event)
    if (taken === 'overflow') isOverflowing = true
    if (taken !== 'known') hasTalk = true
  }
  if (hasTalk) await tx.updateTable('matrix_rooms').set({ touched_at: now }).where('room_id', '=', roomId).execute()
  return { isOverflowing, hasTalk: hasTalk && !room.isDirect && room.keepsTalk, suspects }
}

/** Returns the part of the timeline of a newly joined room that was written after the invitation. */
const sinceInvitation = (timeline: readonly MatrixEvent[], userId: string, wasInvited: boolean): number => {
  const own = (membership: string) =>
    timeline.findLastIndex(
      ({ type, stateKey, content }) =>
        type === 'm.room.member' && stateKey === userId && content.membership === membership,
    )
  const invited = own('invite')
  const joined = own('join')
  if (invited !== -1) return invited + 1
  if (joined !== -1) return joined + 1
  return wasInvited ? 0 : timeline.length
}

const takeRedaction = async (
  tx: MatrixTransaction,
  roomId: string,
  { content, redacts }: MatrixEvent,
): Promise<void> => {
  const target = redacts ?? contentText(content.redacts, 255)
  if (target === undefined) return
  await tx
    .updateTable('matrix_inbox')
    .set({ state: 'done', body: '', media: '' })
    .where(eb => eb.and({ event_id: target, room_id: roomId, tries: 0 }))
    .execute()
  await tx.deleteFrom('matrix_room_messages').where('event_id', '=', target).where('room_id', '=', roomId).execute()
  await tx.deleteFrom('matrix_undecrypted').where('event_id', '=', target).where('room_id', '=', roomId).execute()
  const summary = await tx
    .selectFrom('matrix_room_summaries')
    .select('covers')
    .where('room_id', '=', roomId)
    .executeTakeFirst()
  if (summary?.covers.includes(target)) {
    await tx.deleteFrom('matrix_room_summaries').where('room_id', '=', roomId).execute()
  }
}

/** Returns whether an invitation is accepted. @param allowed `all`, user ids, names of homeservers */
const mayInvite = (inviter: string, allowed: readonly string[]): boolean => {
  const server = inviter.slice(inviter.indexOf(':') + 1)
  return allowed.includes('all') || allowed.includes(inviter) || allowed.includes(server)
}
