import { countsOf, type HomeserverState, keysOf, type Login, type Room } from './homeserver-state.test.support.ts'
import { type MatrixEvent, MatrixRefusal, type StoredEvent } from './matrix-event.test.support.ts'

/** A place in the stream of changes, as a token. */
export const positionOf = ({ data }: HomeserverState, seq: number): string => `s${data.epoch}_${seq}`

/** The place that a token names; 400 `M_UNKNOWN_POS` for one of a state that is lost. */
export const seqOf = ({ data }: HomeserverState, token: string | null): number => {
  const [, epoch, seq] = /^s([0-9a-f]+)_(\d+)$/.exec(token ?? '') ?? []
  if (epoch === data.epoch && Number(seq) <= data.seq) return Number(seq)
  throw new MatrixRefusal(400, 'M_UNKNOWN_POS', 'Unknown position')
}

/** An event as a login is given it: a device learns the transaction ids of its own. */
export const shownTo = ({ event, transaction }: StoredEvent, login: Login): MatrixEvent => ({
  ...event,
  unsigned: {
    ...event.unsigned,
    age: Math.max(0, Date.now() - event.origin_server_ts),
    ...(transaction?.userId === login.userId && transaction.deviceId === login.deviceId
      ? { transaction_id: transaction.id }
      : {}),
  },
})

/** The part of a filter that holds for events. */
interface EventFilter {
  readonly limit?: number
  readonly types?: readonly string[]
  readonly not_types?: readonly string[]
  readonly senders?: readonly string[]
  readonly not_senders?: readonly string[]
  readonly lazy_load_members?: boolean
}

/** A filter of the sync, as far as this homeserver follows it. */
export interface SyncFilter {
  readonly account_data?: EventFilter
  readonly room?: {
    readonly timeline?: EventFilter
    readonly state?: EventFilter
    readonly ephemeral?: EventFilter
    readonly account_data?: EventFilter
  }
}

/** What is asked of a sync. */
export interface SyncRequest {
  readonly since: number | undefined
  readonly filter: SyncFilter
  readonly fullState: boolean
}

const fits = (pattern: string, text: string) =>
  pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : pattern === text

const passes = (filter: EventFilter = {}, { type, sender }: { readonly type: string; readonly sender?: string }) =>
  (filter.types?.some(one => fits(one, type)) ?? true) &&
  !filter.not_types?.some(one => fits(one, type)) &&
  (sender === undefined || ((filter.senders?.includes(sender) ?? true) && !filter.not_senders?.includes(sender)))

/** How many events of a room a sync gives, where the filter says nothing. */
const usualLimit = 10

const timelineOf = (state: HomeserverState, room: Room, login: Login, sync: SyncRequest, from: number, to: number) => {
  const filter = sync.filter.room?.timeline
  const all = room.events.filter(({ seq, event }) => seq > from && seq <= to && passes(filter, event))
  const events = all.slice(-Math.min(filter?.limit ?? usualLimit, 1_000))
  const start = events[0]?.seq ?? to + 1
  return {
    start,
    isEmpty: events.length === 0,
    timeline: {
      events: events.map(one => withoutRoom(shownTo(one, login))),
      limited: events.length < all.length,
      prev_batch: positionOf(state, start - 1),
    },
  }
}

const withoutRoom = ({ room_id: _, ...event }: MatrixEvent) => event

/** The newest state between two changes; of members only some where they are loaded as they speak. */
const stateBetween = (
  room: Room,
  { filter }: SyncRequest,
  after: number,
  before: number,
  speakers: readonly string[] = [],
) => {
  const isLazy = filter.room?.state?.lazy_load_members === true
  const newest = new Map<string, MatrixEvent>()
  for (const { seq, event } of room.events) {
    if (event.state_key === undefined || seq <= after || seq >= before) continue
    if (isLazy && event.type === 'm.room.member' && !speakers.includes(event.state_key)) continue
    newest.set(`${event.type}|${event.state_key}`, event)
  }
  return [...newest.values()].filter(event => passes(filter.room?.state, event)).map(withoutRoom)
}

const ephemeralOf = (room: Room, { filter }: SyncRequest, since: number) => {
  const { typing, receipts } = room
  const events: { readonly type: string; readonly content: unknown }[] = []
  if (typing.seq > since) {
    const user_ids = [...typing.until].filter(([, until]) => until > Date.now()).map(([userId]) => userId)
    events.push({ type: 'm.typing', content: { user_ids } })
  }
  const read = [...receipts].filter(([, { seq }]) => seq > since)
  const content: Record<string, { 'm.read': Record<string, { readonly ts: number }> }> = {}
  for (const [userId, { eventId, at }] of read) {
    content[eventId] ??= { 'm.read': {} }
    content[eventId]['m.read'][userId] = { ts: at }
  }
  if (read.length > 0) events.push({ type: 'm.receipt', content })
  return events.filter(event => passes(filter.room?.ephemeral, event))
}

const accountDataOf = (state: HomeserverState, login: Login, sync: SyncRequest, roomId?: string) => {
  const filter = roomId === undefined ? sync.filter.account_data : sync.filter.room?.account_data
  return [...(state.data.accounts.get(login.userId)?.accountData ?? [])]
    .filter(([, kept]) => kept.roomId === roomId && kept.seq > (sync.since ?? 0))
    .map(([key, { content }]) => ({ type: roomId === undefined ? key : key.slice(roomId.length + 1), content }))
    .filter(event => passes(filter, event))
}

const joinedRoom = (state: HomeserverState, room: Room, login: Login, sync: SyncRequest) => {
  const { since = 0, fullState } = sync
  const isNew = sync.since === undefined || (room.joinedAt.get(login.userId) ?? 0) > since
  const { start, timeline, isEmpty } = timelineOf(state, room, login, sync, isNew ? 0 : since, state.data.seq)
  const speakers = [login.userId, ...timeline.events.map(({ sender }) => sender)]
  const events = stateBetween(room, sync, isNew || fullState ? 0 : since, fullState ? Infinity : start, speakers)
  const ephemeral = ephemeralOf(room, sync, since)
  const accountData = accountDataOf(state, login, sync, room.id)
  if (isEmpty && !isNew && events.length + ephemeral.length + accountData.length === 0) return undefined
  const members = state.joined(room)
  return {
    timeline,
    state: { events },
    ephemeral: { events: ephemeral },
    account_data: { events: accountData },
    summary: {
      'm.heroes': members.filter(userId => userId !== login.userId).slice(0, 5),
      'm.joined_member_count': members.length,
      'm.invited_member_count': [...room.state.values()].filter(one => one.event.content.membership === 'invite')
        .length,
    },
    unread_notifications: { highlight_count: 0, notification_count: 0 },
  }
}

const strippedTypes = ['create', 'join_rules', 'name', 'topic', 'avatar', 'canonical_alias', 'encryption']

const invitedRoom = (room: Room, userId: string, invitation: MatrixEvent) => {
  const shown = [...room.state.values()].filter(
    ({ event: { type, state_key } }) =>
      strippedTypes.includes(type.replace('m.room.', '')) ||
      (type === 'm.room.member' && (state_key === userId || state_key === invitation.sender)),
  )
  const strip = ({ event: { type, sender, state_key, content } }: StoredEvent) => ({ type, sender, state_key, content })
  return { invite_state: { events: shown.map(strip) } }
}

/** Users who share a room with another one. */
const acquaintances = (state: HomeserverState, userId: string): Set<string> => {
  const known = new Set([userId])
  for (const room of state.data.rooms.values()) {
    if (room.joinedAt.has(userId)) for (const other of room.joinedAt.keys()) known.add(other)
  }
  return known
}

/** The users whose devices changed, or who came into a room of the user. */
const changedDevices = (state: HomeserverState, userId: string, since: number): string[] => {
  const known = acquaintances(state, userId)
  const newcomers = [...state.data.rooms.values()]
    .filter(room => room.joinedAt.has(userId))
    .flatMap(room => [...room.joinedAt].filter(([, seq]) => seq > since).map(([other]) => other))
  const changed = [...state.data.devicesChanged].filter(([other, seq]) => seq > since && known.has(other))
  return [...new Set([...changed.map(([other]) => other), ...newcomers])]
}

/** Messages to a device; those before the place are delivered, and dropped. */
const toDeviceOf = (state: HomeserverState, { userId, deviceId }: Login, sync: SyncRequest) => {
  const keys = keysOf(state.data, userId, deviceId)
  if (sync.since !== undefined) keys.inbox = keys.inbox.filter(({ seq }) => seq > sync.since!)
  return keys.inbox
}

/** What changed for a login since a place; `isEmpty` where nothing did. */
export const syncOf = (state: HomeserverState, login: Login, sync: SyncRequest) => {
  const { userId } = login
  const since = sync.since ?? 0
  const [join, invite, leave]: Record<string, unknown>[] = [{}, {}, {}]
  for (const room of state.data.rooms.values()) {
    const member = room.state.get(`m.room.member|${userId}`)
    if (!member) continue
    const { membership } = member.event.content
    if (membership === 'join') {
      const shown = joinedRoom(state, room, login, sync)
      if (shown) join![room.id] = shown
    } else if (member.seq > since && membership === 'invite') {
      invite![room.id] = invitedRoom(room, userId, member.event)
    } else if (member.seq > since && sync.since !== undefined) {
      const { timeline, start } = timelineOf(state, room, login, sync, since, member.seq)
      leave![room.id] = { timeline, state: { events: stateBetween(room, sync, since, start) } }
    }
  }
  const accountData = accountDataOf(state, login, sync)
  const toDevice = toDeviceOf(state, login, sync)
  const changed = sync.since === undefined ? [] : changedDevices(state, userId, since)
  const isEmpty =
    [join, invite, leave].every(rooms => Object.keys(rooms!).length === 0) &&
    accountData.length + toDevice.length + changed.length === 0
  const body = {
    next_batch: positionOf(state, state.data.seq),
    rooms: { join, invite, leave, knock: {} },
    account_data: { events: accountData },
    presence: { events: [] },
    to_device: { events: toDevice.map(({ event }) => event) },
    device_lists: { changed, left: [] },
    device_one_time_keys_count: countsOf(keysOf(state.data, userId, login.deviceId)),
    device_unused_fallback_key_types: ['signed_curve25519'],
  }
  return { isEmpty, body }
}
