import { createHash } from 'node:crypto'
import { pause, withTimeout } from '@sibyl/plugin'
import { markdownMessages, textContent } from '../answers/message-content.ts'
import type { MatrixClient } from '../client/matrix-client.ts'
import { backOffMs, mayPass, roomPauseMs } from '../client/retry-send.ts'
import { joinedRooms } from '../rooms/room-facts.ts'
import type { MatrixHost, MatrixTransaction } from '../store/matrix-tables.ts'

/** A message to send. */
export interface OutboxMessage {
  /** Two messages with the same key are one. */
  readonly key: string
  readonly roomId: string
  readonly text: string
  /** DID of the user on whose behalf it is sent; blank for messages of the bot itself. */
  readonly did: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Stores a message to send. Returns false if its key exists. */
export const putIntoOutbox = async (
  tx: MatrixTransaction,
  { key, roomId, text, did, now }: OutboxMessage,
): Promise<boolean> => {
  const id = createHash('sha256').update(key).digest('hex').slice(0, 40)
  const row = { id, room_id: roomId, text, did, state: 'waiting' as const, at: now }
  const added = await tx
    .insertInto('matrix_outbox')
    .values(row)
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return added.length > 0
}

/** Interval of reads for messages of other processes, in milliseconds. */
const pollIntervalMs = 2_000
/** Time for which a message is retried, in milliseconds. */
const triedMs = 24 * 3_600_000
/** Maximum number of rooms with concurrent messages, and of rooms among them that rejected messages before. */
const max = { atOnce: 16, again: 8 }

/** A message to send. */
interface DueMessage {
  readonly id: string
  readonly roomId: string
  readonly text: string
  readonly at: number
}

/**
 * Sends the messages of the outbox; each at most once, by its transaction id. The messages of a room are sent in order;
 * a room that rejects them does not delay others.
 */
export class Outbox {
  readonly #host: MatrixHost
  readonly #client: MatrixClient
  readonly #botId: () => string
  /** Rooms that rejected messages, with the time of their retry in milliseconds of `performance.now()`. */
  readonly #later = new Map<string, number>()
  /** Messages that are being sent, by room. */
  readonly #sending = new Map<string, Promise<void>>()
  /** Number of them in rooms that rejected messages before. */
  #again = 0
  #woken = Promise.withResolvers<void>()

  constructor(host: MatrixHost, client: MatrixClient, botId: () => string) {
    this.#host = host
    this.#client = client
    this.#botId = botId
  }

  /** Signals new messages. */
  kick(): void {
    this.#woken.resolve()
  }

  /** Sends until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      this.#woken = Promise.withResolvers()
      try {
        await this.#sendDue(signal)
        failures = 0
        await withTimeout(() => this.#woken.promise, { timeoutMs: this.#pauseMs(), signal }).catch(() => {})
      } catch (error) {
        if (signal.aborted) break
        failures += 1
        this.#host.log.warn('messages for Matrix could not be read', { error })
        await pause(backOffMs(error, failures), signal).catch(() => {})
      }
    }
    await Promise.all(this.#sending.values())
  }

  /** Returns the time until the next message is due, as far as this process knows. */
  #pauseMs(): number {
    const now = performance.now()
    return Math.min(pollIntervalMs, ...[...this.#later.values()].flatMap(at => (at > now ? [at - now] : [])))
  }

  async #sendDue(signal: AbortSignal): Promise<void> {
    for (const message of await this.#due()) {
      const { roomId } = message
      const isAgain = this.#later.has(roomId)
      if (isAgain ? this.#again >= max.again : this.#sending.size - this.#again >= max.atOnce) continue
      if (isAgain) this.#again += 1
      const work = this.#try(message, signal).finally(() => {
        if (isAgain) this.#again -= 1
        this.#sending.delete(roomId)
        this.kick()
      })
      this.#sending.set(roomId, work)
    }
  }

  /** Never rejects. */
  async #try(message: DueMessage, signal: AbortSignal): Promise<void> {
    const { roomId, at } = message
    const { log, clock } = this.#host
    try {
      const state = await this.#send(message, signal)
      await this.#end(message.id, state)
      this.#later.delete(roomId)
    } catch (error) {
      if (signal.aborted) return
      const level = this.#later.has(roomId) ? 'debug' : 'warn'
      log[level]('a message for a Matrix room could not be sent yet; it is retried', { error })
      this.#later.set(roomId, performance.now() + roomPauseMs(clock.now() - at))
    }
  }

  /** Returns the first due message of each room; rooms that rejected messages before come last. */
  async #due(): Promise<DueMessage[]> {
    const { read } = this.#host.storage
    const now = performance.now()
    const resting = [...this.#later].flatMap(([roomId, at]) => (at > now ? [roomId] : []))
    const busy = [...this.#sending.keys(), ...resting]
    const firsts = read
      .selectFrom('matrix_outbox')
      .select(({ fn }) => fn.min('place').as('place'))
      .where('state', '=', 'waiting')
      .$if(busy.length > 0, rooms => rooms.where('room_id', 'not in', busy))
      .groupBy('room_id')
    const rows = await read
      .selectFrom('matrix_outbox')
      .select(['id', 'room_id', 'text', 'at'])
      .where('place', 'in', firsts)
      .orderBy('place')
      .limit(200)
      .execute()
    const due = rows.map(({ id, room_id: roomId, text, at }) => ({ id, roomId, text, at }))
    const isFresh = ({ roomId }: DueMessage) => !this.#later.has(roomId)
    return [...due.filter(isFresh), ...due.filter(message => !isFresh(message))]
  }

  async #end(id: string, state: 'done' | 'failed'): Promise<void> {
    await this.#host.storage.write(tx =>
      tx
        .updateTable('matrix_outbox')
        // The operator can retry a failed message, which keeps its text until it is deleted.
        .set(state === 'done' ? { state, text: '' } : { state })
        .where('id', '=', id)
        .execute(),
    )
  }

  async #send({ id, roomId, text, at }: DueMessage, signal: AbortSignal): Promise<'done' | 'failed'> {
    const { log, clock, storage } = this.#host
    const [room] = await joinedRooms(storage.read, this.#botId(), { roomIds: [roomId] })
    if (!room) {
      log.warn('a message for a Matrix room was dropped: the bot is no longer in the room')
      return 'failed'
    }
    try {
      for (const [place, part] of (await markdownMessages(text)).entries()) {
        await this.#client.send(roomId, `sibyl-${id}-${place}`, textContent(part, { thread: null }), signal)
      }
      return 'done'
    } catch (error) {
      if (mayPass(error) && clock.now() - at < triedMs) throw error
      if (signal.aborted) throw error
      log.warn('a message for a Matrix room was dropped', { error })
      return 'failed'
    }
  }
}
