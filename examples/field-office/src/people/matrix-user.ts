import { randomUUID } from 'node:crypto'
import { z } from 'zod'

/** Something that was said in a room. */
export interface RoomMessage {
  readonly id: string
  /** A user id. */
  readonly sender: string
  readonly text: string
  /** The message whose text this one replaces. */
  readonly replaces?: string
}

const session = z.object({ user_id: z.string(), access_token: z.string() })
const content = z.looseObject({
  body: z.string().optional(),
  'm.new_content': z.looseObject({ body: z.string() }).optional(),
  'm.relates_to': z.looseObject({ rel_type: z.string().optional(), event_id: z.string().optional() }).optional(),
})
const event = z.looseObject({ type: z.string(), event_id: z.string(), sender: z.string(), content })
const sync = z.looseObject({
  next_batch: z.string(),
  rooms: z
    .looseObject({
      join: z.record(z.string(), z.looseObject({ timeline: z.looseObject({ events: z.array(event) }) })).optional(),
    })
    .optional(),
})
const filter = encodeURIComponent('{"room":{"timeline":{"limit":100}}}')

/** A user of a Matrix homeserver, over its client-server API (v1.11). */
export class MatrixUser {
  readonly userId: string
  readonly #url: string
  readonly #token: string

  private constructor(url: string, { user_id, access_token }: z.infer<typeof session>) {
    this.#url = url
    this.userId = user_id
    this.#token = access_token
  }

  /** Makes an account. */
  static async register(url: string, name: string, password: string): Promise<MatrixUser> {
    const body = { username: name, password, auth: { type: 'm.login.dummy' } }
    return new MatrixUser(url, session.parse(await call(url, 'POST', 'register', { body })))
  }

  /** Signs in to an account that there is. */
  static async signIn(url: string, name: string, password: string): Promise<MatrixUser> {
    const body = { type: 'm.login.password', identifier: { type: 'm.id.user', user: name }, password }
    return new MatrixUser(url, session.parse(await call(url, 'POST', 'login', { body })))
  }

  /** Is called so in rooms from now on. */
  async setName(displayname: string): Promise<void> {
    await this.#call('PUT', `profile/${encodeURIComponent(this.userId)}/displayname`, { displayname })
  }

  /** Makes a room and invites people. @returns its id */
  async createRoom(name: string, invite: readonly string[]): Promise<string> {
    const made = await this.#call('POST', 'createRoom', { preset: 'private_chat', name, invite })
    return z.object({ room_id: z.string() }).parse(made).room_id
  }

  async join(roomId: string): Promise<void> {
    await this.#call('POST', `join/${encodeURIComponent(roomId)}`, {})
  }

  /** Returns the members of a room, by user id. */
  async members(roomId: string): Promise<readonly string[]> {
    const answer = await this.#call('GET', `rooms/${encodeURIComponent(roomId)}/joined_members`)
    return Object.keys(z.object({ joined: z.record(z.string(), z.unknown()) }).parse(answer).joined)
  }

  /** @returns the event's id */
  async send(roomId: string, body: string): Promise<string> {
    const path = `rooms/${encodeURIComponent(roomId)}/send/m.room.message/${randomUUID()}`
    const content = await this.#call('PUT', path, { msgtype: 'm.text', body })
    return z.object({ event_id: z.string() }).parse(content).event_id
  }

  /** Yields past and new messages of a room, until the signal aborts. */
  async *messages(roomId: string, signal: AbortSignal): AsyncGenerator<RoomMessage> {
    for (let since = ''; ; ) {
      const answer = await this.#call('GET', `sync?timeout=30000&filter=${filter}${since}`, undefined, signal)
      const { next_batch, rooms } = sync.parse(answer)
      since = `&since=${encodeURIComponent(next_batch)}`
      for (const { type, event_id: id, sender, content } of rooms?.join?.[roomId]?.timeline.events ?? []) {
        const related = content['m.relates_to']
        const text = content['m.new_content']?.body ?? content.body
        if (type !== 'm.room.message' || text === undefined) continue
        const replaces = related?.rel_type === 'm.replace' ? related.event_id : undefined
        yield { id, sender, text, ...(replaces === undefined ? {} : { replaces }) }
      }
    }
  }

  #call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
    return call(this.#url, method, path, { token: this.#token, body, signal })
  }
}

interface Call {
  readonly token?: string
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** @param path Behind `/_matrix/client/v3/`, encoded. */
const call = async (url: string, method: string, path: string, { token, body, signal }: Call): Promise<unknown> => {
  const response = await fetch(`${url}/_matrix/client/v3/${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${method} ${path.split('?')[0]}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}
