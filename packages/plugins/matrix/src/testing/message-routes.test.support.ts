import { type HomeserverRoute, type RouteRequest, route } from './homeserver-route.test.support.ts'
import type { Login, Room } from './homeserver-state.test.support.ts'
import {
  type MatrixEvent,
  MatrixRefusal,
  type NewEvent,
  type StoredEvent,
  stateKey,
} from './matrix-event.test.support.ts'
import { ownRoom, requirePower } from './room-routes.test.support.ts'
import { positionOf, seqOf, shownTo } from './sync.test.support.ts'

const notFound = () => new MatrixRefusal(404, 'M_NOT_FOUND', 'Event not found')

/** The largest event, in bytes of its JSON. */
const largestEvent = 65_536

/** Adds what a device sends: the same transaction id of a device makes one event. */
const sendOnce = ({ state, login, params }: RouteRequest, room: Room, event: NewEvent) => {
  const key = [login.userId, login.deviceId, room.id, event.type, params.txnId].join('|')
  const before = state.data.transactions.get(key)
  if (before !== undefined) return { event_id: before }
  if (JSON.stringify(event.content).length > largestEvent - 500)
    throw new MatrixRefusal(413, 'M_TOO_LARGE', 'Too large')
  const { userId, deviceId } = login
  const { event_id } = state.append(room, event, { userId, deviceId, id: params.txnId ?? '' }).event
  state.data.transactions.set(key, event_id)
  return { event_id }
}

const send = (request: RouteRequest) => {
  const { login, params, body } = request
  const { type = '' } = params
  const room = ownRoom(request)
  requirePower(request, room, levels => levels.events?.[type] ?? levels.events_default ?? 0)
  return sendOnce(request, room, { type, sender: login.userId, content: body })
}

const redact = (request: RouteRequest) => {
  const { login, params, body } = request
  const room = ownRoom(request)
  const target = eventOf(room, params.eventId).event
  if (target.sender !== login.userId) requirePower(request, room, levels => levels.redact ?? 50)
  const redacts = target.event_id
  return sendOnce(request, room, {
    type: 'm.room.redaction',
    sender: login.userId,
    content: { ...body, redacts },
    redacts,
  })
}

const eventOf = (room: Room, id: string | undefined): StoredEvent => {
  const found = room.events.find(({ event }) => event.event_id === id)
  if (!found) throw notFound()
  return found
}

const putState = (request: RouteRequest) => {
  const { state, login, params, body } = request
  const { type = '', key = '' } = params
  const room = ownRoom(request)
  if (type === 'm.room.member') throw new MatrixRefusal(403, 'M_FORBIDDEN', 'Invite, kick or ban instead')
  requirePower(request, room, levels => levels.events?.[type] ?? levels.state_default ?? 50)
  return { event_id: state.append(room, { type, sender: login.userId, state_key: key, content: body }).event.event_id }
}

const readState = (request: RouteRequest) => {
  const { type = '', key = '' } = request.params
  const found = ownRoom(request).state.get(stateKey(type, key))
  if (!found) throw notFound()
  return request.query.get('format') === 'event' ? found.event : found.event.content
}

const shown = (events: readonly StoredEvent[], login: Login): MatrixEvent[] => events.map(one => shownTo(one, login))

const numberOf = (query: URLSearchParams, name: string, otherwise: number) =>
  Math.min(1_000, Number(query.get(name) ?? otherwise) || otherwise)

/** Pages through a room, backward unless told otherwise. */
const messages = (request: RouteRequest) => {
  const { state, login, query } = request
  const room = ownRoom(request)
  const forward = query.get('dir') === 'f'
  const from = query.has('from') ? seqOf(state, query.get('from')) : forward ? 0 : state.data.seq
  const to = query.has('to') ? seqOf(state, query.get('to')) : forward ? Infinity : 0
  const there = forward
    ? room.events.filter(({ seq }) => seq > from && seq <= to)
    : room.events.filter(({ seq }) => seq <= from && seq > to).reverse()
  const chunk = there.slice(0, numberOf(query, 'limit', 10))
  const last = chunk.at(-1)?.seq ?? from
  return {
    start: positionOf(state, from),
    chunk: shown(chunk, login),
    ...(chunk.length < there.length ? { end: positionOf(state, forward ? last : last - 1) } : {}),
    state: [],
  }
}

const relationOf = ({ event }: StoredEvent) =>
  event.content['m.relates_to'] as { readonly rel_type?: unknown; readonly event_id?: unknown } | null | undefined

const relations = (request: RouteRequest) => {
  const { login, params, query } = request
  const room = ownRoom(request)
  const target = eventOf(room, params.eventId).event.event_id
  const chunk = room.events
    .filter(one => relationOf(one)?.event_id === target)
    .filter(one => params.relType === undefined || relationOf(one)?.rel_type === params.relType)
    .filter(({ event }) => params.type === undefined || event.type === params.type)
  if (query.get('dir') !== 'f') chunk.reverse()
  return { chunk: shown(chunk.slice(0, numberOf(query, 'limit', 50)), login) }
}

const threads = (request: RouteRequest) => {
  const room = ownRoom(request)
  const roots = new Set(
    room.events
      .map(relationOf)
      .filter(relation => relation?.rel_type === 'm.thread')
      .map(relation => relation?.event_id),
  )
  return { chunk: shown(room.events.filter(({ event }) => roots.has(event.event_id)).reverse(), request.login) }
}

const receive = (request: RouteRequest, eventId: string) => {
  const { state, login } = request
  const receipt = { seq: state.change(), eventId, at: Date.now() }
  ownRoom(request).receipts.set(login.userId, receipt)
  return {}
}

const type = (request: RouteRequest) => {
  const { state, login, body } = request
  const { typing } = ownRoom(request)
  const timeout = typeof body.timeout === 'number' ? Math.min(body.timeout, 120_000) : 30_000
  if (body.typing === true) typing.until.set(login.userId, Date.now() + timeout)
  else typing.until.delete(login.userId)
  typing.seq = state.change()
  return {}
}

const markRead = (request: RouteRequest) => {
  const read = request.body['m.read']
  return typeof read === 'string' ? receive(request, read) : {}
}

const everyState = (request: RouteRequest): MatrixEvent[] => [...ownRoom(request).state.values()].map(one => one.event)

const download = ({ state, login, params }: RouteRequest) => {
  const content = state.data.media.get(params.id ?? '')
  if (params.server !== state.data.serverName || !content) {
    throw new MatrixRefusal(404, 'M_NOT_FOUND', `No media for ${login.userId}`)
  }
  return content
}

/** What is said in rooms, and found there again. */
export const messageRoutes = (): readonly HomeserverRoute[] => [
  route('GET', 'media/download/:server/:id', 'media', download),
  route('PUT', 'rooms/:roomId/send/:type/:txnId', 'send', send),
  route('PUT', 'rooms/:roomId/redact/:eventId/:txnId', 'redact', redact),
  route('GET', 'rooms/:roomId/state', 'state', everyState),
  route('GET', 'rooms/:roomId/state/:type', 'state', readState),
  route('GET', 'rooms/:roomId/state/:type/:key', 'state', readState),
  route('PUT', 'rooms/:roomId/state/:type', 'state', putState),
  route('PUT', 'rooms/:roomId/state/:type/:key', 'state', putState),
  route('GET', 'rooms/:roomId/messages', 'messages', messages),
  route('GET', 'rooms/:roomId/threads', 'relations', threads),
  route('GET', 'rooms/:roomId/event/:eventId', 'event', request =>
    shownTo(eventOf(ownRoom(request), request.params.eventId), request.login),
  ),
  route('GET', 'rooms/:roomId/relations/:eventId', 'relations', relations),
  route('GET', 'rooms/:roomId/relations/:eventId/:relType', 'relations', relations),
  route('GET', 'rooms/:roomId/relations/:eventId/:relType/:type', 'relations', relations),
  route('POST', 'rooms/:roomId/receipt/:receiptType/:eventId', 'receipt', request =>
    receive(request, request.params.eventId ?? ''),
  ),
  route('POST', 'rooms/:roomId/read_markers', 'receipt', markRead),
  route('PUT', 'rooms/:roomId/typing/:userId', 'typing', type),
]
