import { z } from 'zod'
import { isAnswerTooLong, matrixErrors } from './matrix-errors.ts'
import { type MatrixEvent, matrixRoomId, readEvent } from './matrix-event.ts'
import type { MatrixCall, MatrixHttp } from './matrix-http.ts'
import { readMembers, readSync, type SyncBatch } from './read-sync.ts'
import type { RoomMedia } from './room-media.ts'
import type { SignIn } from './sign-in.ts'

/** Time for which a long poll stays open at the homeserver, and additional time for its response, in milliseconds. */
const poll = { openMs: 30_000, moreMs: 30_000 }
/** Maximum size of a poll's response, in bytes. */
const maxSyncBytes = 20_000_000

const seen = ['m.room.message', 'm.room.encrypted', 'm.room.redaction']
const state = ['m.room.create', 'm.room.member', 'm.room.name', 'm.room.canonical_alias', 'm.room.encryption']

/**
 * Number of events per room that a poll requests, and whether it includes all members; smaller after a response that
 * was too large. Omitted data is fetched separately.
 */
const pollSizes = [
  { limit: 100, isPartial: false },
  { limit: 10, isPartial: false },
  { limit: 1, isPartial: false },
  { limit: 1, isPartial: true },
] as const

type PollSize = (typeof pollSizes)[number]

const filterOf = ({ limit, isPartial }: PollSize): string =>
  JSON.stringify({
    presence: { types: [] },
    account_data: { types: [] },
    room: {
      account_data: { types: [] },
      ephemeral: { types: [] },
      state: { types: state, ...(isPartial ? { lazy_load_members: true } : {}) },
      timeline: { types: [...seen, ...state], limit },
    },
  })

const sentEvent = z.object({ event_id: z.string().regex(/^\$/).max(255) })
/** Maximum size of a response about keys, in bytes. */
const maxKeyBytes = 20_000_000

const room = z.object({ room_id: matrixRoomId })
const joinedMembers = z.object({ joined: z.record(z.string(), z.unknown()) })
const page = z.object({ chunk: z.array(z.unknown()).max(2_000), end: z.string().max(4_000).optional() })

export interface RoomContent {
  readonly type: string
  readonly content: Readonly<Record<string, unknown>>
}

/** Encrypts messages for encrypted rooms. */
export interface MessageSealing {
  /** Returns the event of a message: the same for a repeated transaction, as long as it was not sent. */
  seal(
    roomId: string,
    transactionId: string,
    content: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<RoomContent>
  /** Called once the homeserver has accepted it. */
  sent(roomId: string, transactionId: string): void
}

/** Events before a gap, latest first, and the start of the previous page. */
export interface HistoryPage {
  readonly events: readonly MatrixEvent[]
  readonly next: string | undefined
}

/**
 * Requests of the bot to its homeserver. Each one throws the errors of `MatrixHttp.request`, unless documented
 * otherwise.
 */
export class MatrixClient {
  readonly #http: MatrixHttp
  readonly #signIn: SignIn
  readonly #sealing: MessageSealing

  constructor(http: MatrixHttp, signIn: SignIn, sealing: MessageSealing) {
    this.#http = http
    this.#signIn = signIn
    this.#sealing = sealing
  }

  /**
   * Returns the events after `since`, or the current state without it.
   *
   * @param waits True to wait until there are new events.
   */
  async sync(since: string | undefined, waits: boolean, signal: AbortSignal): Promise<SyncBatch> {
    for (const size of pollSizes) {
      try {
        return await this.#poll(since, waits, size, signal)
      } catch (error) {
        if (!isAnswerTooLong(error)) throw error
      }
    }
    throw matrixErrors.matrix_answer_too_long({ mostBytes: maxSyncBytes })
  }

  async #poll(since: string | undefined, waits: boolean, size: PollSize, signal: AbortSignal): Promise<SyncBatch> {
    const query = new URLSearchParams({
      filter: filterOf(size),
      set_presence: 'offline',
      timeout: String(waits ? poll.openMs : 0),
      ...(since === undefined ? {} : { since }),
    })
    const answer = await this.#ask({
      method: 'GET',
      path: `/v3/sync?${query}`,
      limitMs: poll.openMs + poll.moreMs,
      maxBytes: maxSyncBytes,
      signal,
    })
    const batch = readSync(answer, size.isPartial)
    if (!batch) throw notMatrix()
    return batch
  }

  /** Sends a message; two with the same transaction id are one. @returns the id of its event */
  async send(
    roomId: string,
    transactionId: string,
    content: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<string> {
    const event = await this.#sealing.seal(roomId, transactionId, content, signal)
    const path = `${roomPath(roomId)}/send/${event.type}/${encodeURIComponent(transactionId)}`
    const answer = sentEvent.safeParse(await this.#ask({ method: 'PUT', path, body: event.content, signal }))
    if (!answer.success) throw notMatrix()
    this.#sealing.sent(roomId, transactionId)
    return answer.data.event_id
  }

  /** Removes an event's content; two requests with the same transaction id are one. */
  async redact(roomId: string, eventId: string, transactionId: string, signal?: AbortSignal): Promise<void> {
    const path = `${roomPath(roomId)}/redact/${encodeURIComponent(eventId)}/${encodeURIComponent(transactionId)}`
    await this.#ask({ method: 'PUT', path, body: {}, signal })
  }

  async join(roomId: string, signal?: AbortSignal): Promise<void> {
    const path = `/v3/join/${encodeURIComponent(roomId)}`
    await this.#ask({ method: 'POST', path, body: {}, limitMs: 60_000, signal })
  }

  /** Leaves a room, or declines an invitation. */
  async leave(roomId: string, signal?: AbortSignal): Promise<void> {
    await this.#ask({ method: 'POST', path: `${roomPath(roomId)}/leave`, body: {}, signal })
  }

  /** Sets or clears the typing notification. */
  async typing(roomId: string, isTyping: boolean, signal?: AbortSignal): Promise<void> {
    const path = `${roomPath(roomId)}/typing/${encodeURIComponent(this.#signIn.userId)}`
    const body = isTyping ? { typing: true, timeout: 30_000 } : { typing: false }
    await this.#ask({ method: 'PUT', path, body, limitMs: 5_000, signal })
  }

  /** Marks events as read up to one. */
  async read(roomId: string, eventId: string, signal?: AbortSignal): Promise<void> {
    const path = `${roomPath(roomId)}/receipt/m.read/${encodeURIComponent(eventId)}`
    await this.#ask({ method: 'POST', path, body: {}, limitMs: 5_000, signal })
  }

  /** Returns the events before a gap, latest first. @param to The last position that was read. */
  async history(roomId: string, from: string, to: string, signal: AbortSignal): Promise<HistoryPage> {
    const query = new URLSearchParams({ dir: 'b', from, to, limit: '100' })
    const path = `${roomPath(roomId)}/messages?${query}`
    const answer = page.safeParse(await this.#ask({ method: 'GET', path, maxBytes: maxSyncBytes, signal }))
    if (!answer.success) throw notMatrix()
    const events = answer.data.chunk.map(readEvent).filter(event => event !== undefined)
    return { events, next: answer.data.chunk.length === 0 ? undefined : answer.data.end }
  }

  /** Returns the members of a room with their names, including the bot. */
  async members(roomId: string, signal: AbortSignal): Promise<ReadonlyMap<string, string | null>> {
    const path = `${roomPath(roomId)}/joined_members`
    const answer = joinedMembers.safeParse(await this.#ask({ method: 'GET', path, maxBytes: maxSyncBytes, signal }))
    if (!answer.success) throw notMatrix()
    return readMembers(answer.data.joined)
  }

  /**
   * Returns the room of an alias. A process on standby does not sign in, because that would invalidate the token of
   * another process.
   */
  async roomOf(alias: string, signal?: AbortSignal): Promise<string> {
    const path = `/v3/directory/room/${encodeURIComponent(alias)}`
    const call: MatrixCall = { method: 'GET', path, limitMs: 10_000, signal }
    const answer = room.safeParse(await (this.#signIn.hasToken ? this.#ask(call) : this.#http.request(call)))
    if (!answer.success) throw notMatrix()
    return answer.data.room_id
  }

  /**
   * Returns the content of a file at its server, through the bot's homeserver.
   *
   * @throws `matrix_answer_too_long` where it has more than `maxBytes`
   */
  async media(
    { server, id }: NonNullable<RoomMedia['at']>,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const file = `${encodeURIComponent(server)}/${encodeURIComponent(id)}`
    const call = { method: 'GET', limitMs: 60_000, maxBytes, signal } as const
    try {
      return await this.#download({ ...call, path: `/v1/media/download/${file}` })
    } catch (error) {
      if (!matrixErrors.matrix_refused.is(error) || error.facts.reason !== 'M_UNRECOGNIZED') throw error
      return await this.#download({ ...call, api: 'media', path: `/v3/download/${file}` })
    }
  }

  /** Sends a request about keys, and returns the unvalidated response. */
  keys(call: Pick<MatrixCall, 'method' | 'path' | 'body' | 'signal'>): Promise<unknown> {
    return this.#ask({ ...call, limitMs: 60_000, maxBytes: maxKeyBytes })
  }

  #ask(call: MatrixCall): Promise<unknown> {
    return this.#asBot(call, signed => this.#http.request(signed))
  }

  #download(call: MatrixCall): Promise<Uint8Array> {
    return this.#asBot(call, signed => this.#http.download(signed))
  }

  /** Sends a request as the bot; if its token is invalid, signs in again and repeats the request. */
  async #asBot<Answer>(call: MatrixCall, send: (call: MatrixCall) => Promise<Answer>): Promise<Answer> {
    const token = await this.#signIn.token(call.signal)
    try {
      return await send({ ...call, token })
    } catch (error) {
      if (!matrixErrors.matrix_token_refused.is(error)) throw error
      const renewed = await this.#signIn.renew(token, call.signal)
      return await send({ ...call, token: renewed })
    }
  }
}

const roomPath = (roomId: string): string => `/v3/rooms/${encodeURIComponent(roomId)}`
const notMatrix = () => matrixErrors.matrix_unavailable({ what: 'returned a response that is not from Matrix' })
