import { randomBytes } from 'node:crypto'
import {
  type EventContent,
  type MatrixEvent,
  type NewEvent,
  type StoredEvent,
  stateKey,
} from './matrix-event.test.support.ts'

/** A user with all that is theirs alone. */
export interface Account {
  readonly userId: string
  readonly password: string
  displayName?: string | undefined
  avatarUrl?: string | undefined
  /** By type, or by room and type. */
  readonly accountData: Map<string, { readonly seq: number; readonly roomId?: string; readonly content: EventContent }>
  readonly filters: unknown[]
}

/** An access token's. */
export interface Login {
  readonly token: string
  readonly userId: string
  readonly deviceId: string
  /** Set when the token is good no more. */
  ended?: 'soft' | 'hard'
}

/** A room with all that was said in it. */
export interface Room {
  readonly id: string
  readonly events: StoredEvent[]
  readonly state: Map<string, StoredEvent>
  /** Since which change each member is in. */
  readonly joinedAt: Map<string, number>
  readonly receipts: Map<string, { readonly seq: number; readonly eventId: string; readonly at: number }>
  /** Who types until when, in milliseconds since 1970. */
  readonly typing: { seq: number; readonly until: Map<string, number> }
}

/** The keys of a device, and the messages to it. */
export interface KeyStore {
  device: Readonly<Record<string, unknown>> | undefined
  /** By algorithm and id. */
  readonly oneTime: Map<string, unknown>
  readonly fallback: Map<string, unknown>
  inbox: {
    readonly seq: number
    readonly event: { readonly type: string; readonly sender: string; readonly content: unknown }
  }[]
}

/** Everything that a homeserver keeps. */
export interface HomeserverData {
  readonly serverName: string
  /** A part of every sync token: those of another one are unknown. */
  epoch: string
  /** Counts the changes. */
  seq: number
  readonly accounts: Map<string, Account>
  readonly logins: Map<string, Login>
  readonly rooms: Map<string, Room>
  readonly aliases: Map<string, string>
  /** The event that was made for a device's transaction id. */
  readonly transactions: Map<string, string>
  /** Contents of files, by their id. */
  readonly media: Map<string, Uint8Array>
  /** Keys by user and device. */
  readonly keys: Map<string, Map<string, KeyStore>>
  readonly crossSigning: Map<string, Readonly<Record<string, unknown>>>
  /** When the devices of a user changed last. */
  readonly devicesChanged: Map<string, number>
}

/** The keys of a device, empty where there are none yet. */
export const keysOf = ({ keys }: Pick<HomeserverData, 'keys'>, userId: string, deviceId: string): KeyStore => {
  const devices = keys.get(userId) ?? new Map<string, KeyStore>()
  keys.set(userId, devices)
  const found = devices.get(deviceId) ?? { device: undefined, oneTime: new Map(), fallback: new Map(), inbox: [] }
  devices.set(deviceId, found)
  return found
}

/** How many one-time keys there are of each algorithm. */
export const countsOf = ({ oneTime }: KeyStore): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = { signed_curve25519: 0 }
  for (const id of oneTime.keys()) {
    const [algorithm = ''] = id.split(':')
    counts[algorithm] = (counts[algorithm] ?? 0) + 1
  }
  return counts
}

/** A homeserver that knows nobody yet. */
export const emptyData = (serverName: string): HomeserverData => ({
  serverName,
  epoch: randomBytes(4).toString('hex'),
  seq: 0,
  accounts: new Map(),
  logins: new Map(),
  rooms: new Map(),
  aliases: new Map(),
  transactions: new Map(),
  media: new Map(),
  keys: new Map(),
  crossSigning: new Map(),
  devicesChanged: new Map(),
})

/** Adds to what a homeserver keeps, and reads it. */
export class HomeserverState {
  data: HomeserverData
  readonly #changed: () => void

  /** @param changed Is told of each change. */
  constructor(data: HomeserverData, changed: () => void) {
    this.data = data
    this.#changed = changed
  }

  /** The number of a change that is made now. */
  change(): number {
    this.data.seq += 1
    this.#changed()
    return this.data.seq
  }

  userIdOf(localpart: string): string {
    return localpart.startsWith('@') ? localpart : `@${localpart}:${this.data.serverName}`
  }

  addAccount(localpart: string, password: string): Account {
    const userId = this.userIdOf(localpart)
    const account = { userId, password, accountData: new Map(), filters: [] }
    this.data.accounts.set(userId, account)
    this.change()
    return account
  }

  /** Signs in; the earlier token of the same device ends, as the specification says. */
  addLogin(userId: string, deviceId = randomBytes(5).toString('hex').toUpperCase()): Login {
    for (const [token, login] of this.data.logins) {
      if (login.userId === userId && login.deviceId === deviceId) this.data.logins.delete(token)
    }
    const login = { token: `syt_${randomBytes(18).toString('base64url')}`, userId, deviceId }
    this.data.logins.set(login.token, login)
    this.change()
    return login
  }

  /** Ends a device with its keys, as its user does in another client. */
  deleteDevice(userId: string, deviceId: string): void {
    for (const [token, login] of this.data.logins) {
      if (login.userId === userId && login.deviceId === deviceId) this.data.logins.delete(token)
    }
    this.data.keys.get(userId)?.delete(deviceId)
    this.deviceChanged(userId)
  }

  /** Has those who share a room with a user learn that the user's devices changed. */
  deviceChanged(userId: string): void {
    this.data.devicesChanged.set(userId, this.change())
  }

  addRoom(): Room {
    const id = `!${randomBytes(9).toString('base64url')}:${this.data.serverName}`
    const typing = { seq: 0, until: new Map() }
    const room = { id, events: [], state: new Map(), joinedAt: new Map(), receipts: new Map(), typing }
    this.data.rooms.set(id, room)
    return room
  }

  /** Adds an event to a room, unseen whether its sender may. */
  append(room: Room, given: NewEvent, transaction?: StoredEvent['transaction']): StoredEvent {
    const seq = this.change()
    const event: MatrixEvent = {
      event_id: `$${randomBytes(32).toString('base64url')}`,
      room_id: room.id,
      origin_server_ts: Date.now(),
      ...given,
    }
    const stored = { seq, event, transaction }
    room.events.push(stored)
    if (event.type === 'm.room.redaction' && event.redacts !== undefined) redact(room, event)
    if (event.state_key === undefined) return stored
    const before = this.membership(room, event.state_key)
    const key = stateKey(event.type, event.state_key)
    const previous = room.state.get(key)
    if (previous) stored.event = { ...event, unsigned: { prev_content: previous.event.content } }
    room.state.set(key, stored)
    if (event.type !== 'm.room.member') return stored
    if (event.content.membership !== 'join') room.joinedAt.delete(event.state_key)
    else if (before !== 'join') room.joinedAt.set(event.state_key, seq)
    return stored
  }

  membership(room: Room, userId: string): string | undefined {
    return this.stateContent(room, 'm.room.member', userId)?.membership as string | undefined
  }

  stateContent(room: Room, type: string, key = ''): EventContent | undefined {
    return room.state.get(stateKey(type, key))?.event.content
  }

  /** The ids of those who are in a room. */
  joined(room: Room): string[] {
    return [...room.joinedAt.keys()]
  }

  power(room: Room, userId: string): number {
    const levels = this.stateContent(room, 'm.room.power_levels') as PowerLevels | undefined
    return levels?.users?.[userId] ?? levels?.users_default ?? 0
  }
}

/** What `m.room.power_levels` says. */
export interface PowerLevels {
  readonly users?: Readonly<Record<string, number>>
  readonly events?: Readonly<Record<string, number>>
  readonly users_default?: number
  readonly events_default?: number
  readonly state_default?: number
  readonly invite?: number
  readonly kick?: number
  readonly ban?: number
  readonly redact?: number
}

const redact = (room: Room, redaction: MatrixEvent): void => {
  const target = room.events.find(({ event }) => event.event_id === redaction.redacts)
  if (target) target.event = { ...target.event, content: {}, unsigned: { redacted_because: redaction } }
}
