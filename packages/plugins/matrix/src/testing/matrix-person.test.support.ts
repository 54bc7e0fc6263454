import { randomUUID } from 'node:crypto'
import type { EventContent, MatrixEvent } from './matrix-event.test.support.ts'

/** Somebody with a Matrix client of few lines: signs up, talks, and waits for what others say. */
export class MatrixPerson {
  readonly userId: string
  readonly #url: string
  readonly #token: string
  readonly #seen: MatrixEvent[] = []
  #since: string | undefined

  private constructor(url: string, userId: string, token: string) {
    this.#url = url
    this.userId = userId
    this.#token = token
  }

  /** Registers somebody at the homeserver of an address. */
  static async register(url: string, name: string): Promise<MatrixPerson> {
    const body = { username: name, password: `${name} password`, auth: { type: 'm.login.dummy' } }
    const answer = await fetch(`${url}/_matrix/client/v3/register`, { method: 'POST', body: JSON.stringify(body) })
    const { user_id, access_token } = (await answer.json()) as { user_id: string; access_token: string }
    return new MatrixPerson(url, user_id, access_token)
  }

  /**
   * Sends a request.
   *
   * @param path Behind `/_matrix/client/v3/`, encoded.
   */
  async request(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
    const answer = await fetch(`${this.#url}/_matrix/client/v3/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const content = (await answer.json()) as Readonly<Record<string, unknown>>
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(content)}`)
    return content
  }

  /** Makes a room. @returns its id */
  async createRoom(request: EventContent = {}): Promise<string> {
    return String((await this.request('POST', 'createRoom', request)).room_id)
  }

  /** Makes a direct room with somebody. @returns its id */
  directRoom(other: string): Promise<string> {
    return this.createRoom({ preset: 'trusted_private_chat', is_direct: true, invite: [other] })
  }

  async join(roomId: string): Promise<void> {
    await this.request('POST', `join/${encodeURIComponent(roomId)}`, {})
  }

  async invite(roomId: string, userId: string): Promise<void> {
    await this.request('POST', `rooms/${encodeURIComponent(roomId)}/invite`, { user_id: userId })
  }

  /** Says something, a text or the content of a message. @returns the event's id */
  async send(roomId: string, received: string | EventContent): Promise<string> {
    const content = typeof received === 'string' ? { msgtype: 'm.text', body: received } : received
    const path = `rooms/${encodeURIComponent(roomId)}/send/m.room.message/${randomUUID()}`
    return String((await this.request('PUT', path, content)).event_id)
  }

  /** The first event in any of their rooms that fits, of all that they have seen and will see. */
  async sees(fits: (event: MatrixEvent) => boolean): Promise<MatrixEvent> {
    for (;;) {
      const found = this.#seen.find(fits)
      if (found) return found
      await this.#sync()
    }
  }

  /** The text of somebody's first message that fits, with its last edit. */
  async hears(fits: (event: MatrixEvent) => boolean): Promise<string> {
    const { content } = await this.sees(event => event.type === 'm.room.message' && fits(event))
    const replaced = content['m.new_content'] as EventContent | undefined
    return String(replaced?.body ?? content.body)
  }

  async #sync(): Promise<void> {
    const since = this.#since === undefined ? '' : `&since=${this.#since}`
    const filter = encodeURIComponent('{"room":{"timeline":{"limit":1000}}}')
    const body = (await this.request('GET', `sync?timeout=30000&filter=${filter}${since}`)) as unknown as {
      readonly next_batch: string
      readonly rooms: {
        readonly join: Readonly<Record<string, { readonly timeline: { readonly events: MatrixEvent[] } }>>
      }
    }
    this.#since = body.next_batch
    for (const [room_id, { timeline }] of Object.entries(body.rooms.join)) {
      this.#seen.push(...timeline.events.map(event => ({ ...event, room_id })))
    }
  }
}
