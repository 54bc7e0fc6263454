import { type HomeserverRoute, type RouteRequest, route, textOf } from './homeserver-route.test.support.ts'
import type { HomeserverState, PowerLevels, Room } from './homeserver-state.test.support.ts'
import { type EventContent, MatrixRefusal } from './matrix-event.test.support.ts'

const forbidden = (why: string) => new MatrixRefusal(403, 'M_FORBIDDEN', why)

/** The room of a path, by its id or alias. */
export const roomOf = ({ state, params }: RouteRequest): Room => {
  const name = params.roomId ?? ''
  const room = state.data.rooms.get(name.startsWith('#') ? (state.data.aliases.get(name) ?? '') : name)
  if (room) return room
  throw name.startsWith('#') ? new MatrixRefusal(404, 'M_NOT_FOUND', 'No such alias') : forbidden('You are not there')
}

/** The room of a path, for one who is in it. */
export const ownRoom = (request: RouteRequest): Room => {
  const room = roomOf(request)
  if (!room.joinedAt.has(request.login.userId)) throw forbidden('You are not in the room')
  return room
}

/** Throws 403 where the power of whoever asks is less than the room's level, or not above that of whom they act on. */
export const requirePower = (
  { state, login }: RouteRequest,
  room: Room,
  level: (levels: PowerLevels) => number,
  over?: string,
): void => {
  const levels = (state.stateContent(room, 'm.room.power_levels') ?? {}) as PowerLevels
  const own = state.power(room, login.userId)
  if (own < level(levels)) throw forbidden('Your power is too low')
  if (over !== undefined && over !== login.userId && own <= state.power(room, over))
    throw forbidden('Theirs is as high')
}

const setMember = (request: RouteRequest, room: Room, userId: string, membership: string, more: EventContent = {}) => {
  const { state, login, body } = request
  const account = state.data.accounts.get(userId)
  const shown = account && membership !== 'leave' && membership !== 'ban'
  const content = {
    membership,
    ...(shown && account.displayName !== undefined ? { displayname: account.displayName } : {}),
    ...(shown && account.avatarUrl !== undefined ? { avatar_url: account.avatarUrl } : {}),
    ...(typeof body.reason === 'string' ? { reason: body.reason } : {}),
    ...more,
  }
  return state.append(room, { type: 'm.room.member', sender: login.userId, state_key: userId, content })
}

const join = (request: RouteRequest) => {
  const { state, login } = request
  const room = roomOf(request)
  const membership = state.membership(room, login.userId)
  if (membership === 'join') return { room_id: room.id }
  const isOpen = state.stateContent(room, 'm.room.join_rules')?.join_rule === 'public'
  if (membership === 'ban' || (membership !== 'invite' && !isOpen)) throw forbidden('You are not invited')
  setMember(request, room, login.userId, 'join')
  return { room_id: room.id }
}

const invite = (
  request: RouteRequest,
  room = ownRoom(request),
  userId = textOf(request.body, 'user_id'),
  more = {},
) => {
  const membership = request.state.membership(room, userId)
  if (membership === 'join' || membership === 'ban') throw forbidden(`They are there, or banned: ${membership}`)
  if (!/^@[^:]+:.+$/.test(userId)) throw new MatrixRefusal(400, 'M_INVALID_PARAM', 'No user id')
  requirePower(request, room, levels => levels.invite ?? 0)
  setMember(request, room, userId, 'invite', more)
  return {}
}

const leave = (request: RouteRequest) => {
  const { state, login } = request
  const room = roomOf(request)
  const membership = state.membership(room, login.userId)
  if (membership === 'leave') return {}
  if (membership !== 'join' && membership !== 'invite') throw forbidden('You are not there')
  setMember(request, room, login.userId, 'leave')
  return {}
}

const putOut = (membership: 'leave' | 'ban', level: (levels: PowerLevels) => number) => (request: RouteRequest) => {
  const userId = textOf(request.body, 'user_id')
  const room = ownRoom(request)
  requirePower(request, room, level, userId)
  setMember(request, room, userId, membership)
  return {}
}

interface RoomRequest {
  readonly preset?: string
  readonly visibility?: string
  readonly room_alias_name?: string
  readonly name?: string
  readonly topic?: string
  readonly is_direct?: boolean
  readonly invite?: readonly string[]
  readonly initial_state?: readonly {
    readonly type: string
    readonly state_key?: string
    readonly content: EventContent
  }[]
  readonly creation_content?: EventContent
  readonly power_level_content_override?: EventContent
}

const createRoom = (request: RouteRequest) => {
  const { state, login } = request
  const asked = request.body as RoomRequest
  const { userId } = login
  const preset = asked.preset ?? (asked.visibility === 'public' ? 'public_chat' : 'private_chat')
  const alias = asked.room_alias_name === undefined ? undefined : `#${asked.room_alias_name}:${state.data.serverName}`
  if (alias && state.data.aliases.has(alias)) throw new MatrixRefusal(400, 'M_ROOM_IN_USE', 'Alias taken')
  const room = state.addRoom()
  const set = (type: string, content: EventContent, state_key = '') =>
    state.append(room, { type, sender: userId, content, state_key })

  set('m.room.create', { room_version: '10', creator: userId, ...asked.creation_content })
  setMember(request, room, userId, 'join')
  const trusted = preset === 'trusted_private_chat' ? (asked.invite ?? []) : []
  const users = Object.fromEntries([userId, ...trusted].map(id => [id, 100]))
  const levels = { users_default: 0, events_default: 0, state_default: 50, invite: 0, kick: 50, ban: 50, redact: 50 }
  set('m.room.power_levels', { ...levels, users, ...asked.power_level_content_override })
  if (alias) {
    state.data.aliases.set(alias, room.id)
    set('m.room.canonical_alias', { alias })
  }
  set('m.room.join_rules', { join_rule: preset === 'public_chat' ? 'public' : 'invite' })
  set('m.room.history_visibility', { history_visibility: 'shared' })
  for (const { type, state_key, content } of asked.initial_state ?? []) set(type, content, state_key)
  if (asked.name !== undefined) set('m.room.name', { name: asked.name })
  if (asked.topic !== undefined) set('m.room.topic', { topic: asked.topic })
  const direct = asked.is_direct === true ? { is_direct: true } : {}
  for (const other of asked.invite ?? []) invite(request, room, other, direct)
  return { room_id: room.id }
}

const aliasOf = ({ state, params }: RouteRequest) => {
  const roomId = state.data.aliases.get(params.alias ?? '')
  if (roomId === undefined) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'No such alias')
  return { room_id: roomId, servers: [state.data.serverName] }
}

const addAlias = (request: RouteRequest) => {
  const { state, params, body } = request
  const room = ownRoom({ ...request, login: request.login, params: { roomId: textOf(body, 'room_id') } })
  const alias = params.alias ?? ''
  if (state.data.aliases.has(alias)) throw new MatrixRefusal(409, 'M_UNKNOWN', 'Alias taken')
  state.data.aliases.set(alias, room.id)
  state.change()
  return {}
}

const members = (request: RouteRequest) => {
  const { query } = request
  const chunk = [...ownRoom(request).state.values()]
    .map(({ event }) => event)
    .filter(event => event.type === 'm.room.member')
    .filter(({ content }) => !query.has('membership') || content.membership === query.get('membership'))
    .filter(({ content }) => !query.has('not_membership') || content.membership !== query.get('not_membership'))
  return { chunk }
}

const joinedMembers = (request: RouteRequest) => {
  const { state } = request
  const room = ownRoom(request)
  const entries = state.joined(room).map(userId => {
    const { displayname = null, avatar_url = null } = state.stateContent(room, 'm.room.member', userId) ?? {}
    return [userId, { display_name: displayname, avatar_url }]
  })
  return { joined: Object.fromEntries(entries) }
}

const joinedRooms = (state: HomeserverState, userId: string) => ({
  joined_rooms: [...state.data.rooms.values()].filter(room => room.joinedAt.has(userId)).map(({ id }) => id),
})

/** Rooms, and who is in them. */
export const roomRoutes = (): readonly HomeserverRoute[] => [
  route('POST', 'createRoom', 'createRoom', createRoom),
  route('POST', 'join/:roomId', 'join', join),
  route('POST', 'rooms/:roomId/join', 'join', join),
  route('POST', 'rooms/:roomId/invite', 'invite', request => invite(request)),
  route('POST', 'rooms/:roomId/leave', 'leave', leave),
  route('POST', 'rooms/:roomId/forget', 'forget', ({ login }) => login && {}),
  route(
    'POST',
    'rooms/:roomId/kick',
    'kick',
    putOut('leave', levels => levels.kick ?? 50),
  ),
  route(
    'POST',
    'rooms/:roomId/ban',
    'ban',
    putOut('ban', levels => levels.ban ?? 50),
  ),
  route(
    'POST',
    'rooms/:roomId/unban',
    'ban',
    putOut('leave', levels => levels.ban ?? 50),
  ),
  route('GET', 'rooms/:roomId/members', 'members', members),
  route('GET', 'rooms/:roomId/joined_members', 'members', joinedMembers),
  route('GET', 'joined_rooms', 'joined_rooms', ({ state, login }) => joinedRooms(state, login.userId)),
  route('GET', 'directory/room/:alias', 'directory', aliasOf),
  route('PUT', 'directory/room/:alias', 'directory', addAlias),
]
