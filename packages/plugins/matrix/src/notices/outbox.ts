import { createHash } from 'node:crypto'
import { pause, withTimeout } from '@sibyl/plugin'
import { markdownMessages, textContent } from '../answers/message-content.ts'
import type { MatrixClient } from '../client/matrix-client.ts'
import { backOffMs, mayPass, roomPauseMs } from '../client/retry-send.ts'
import { joinedRooms } from '../rooms/room-facts.ts'
import type { MatrixHost, MatrixTransaction } from '../store/matrix-tables.ts'

/** A message that is to be sent. */
export interface OutboxMessage {
  /** Two of one key are one. */
  readonly key: string
  readonly roomId: string
  readonly text: string
  /** On whose behalf; blank for what the bot says by itself. */
  readonly did: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Stores a message that is to be sent. False where one of its key is there already. */
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

/** How often the outbox is looked at for what other processes put there, in milliseconds. */
const lookEveryMs = 2_000
/** How long a message is tried, in milliseconds. */
const triedMs = 24 * 3_600_000
/** To how many rooms something is sent at once, and to how many of those that took nothing before. */
const most = { atOnce: 16, again: 8 }

/** A message that is to be sent. */
interface DueMessage {
  readonly id: string
  readonly roomId: string
  readonly text: string
  readonly at: number
}

/**
 * Sends what waits in the outbox; each message at most once, by its transaction id. The messages of a room go in their
 * order; a room that takes none yet holds no other up.
 */
export class Outbox {
  readonly #host: MatrixHost
  readonly #client: MatrixClient
  readonly #botId: () => string
  /** Rooms that took nothing: when each is tried again, in milliseconds of `performance.now()`. */
  readonly #later = new Map<string, number>()
  /** What is being sent, by its room. */
  readonly #sending = new Map<string, Promise<void>>()
  /** How many of them are rooms that took nothing before. */
  #again = 0
  #woken = Promise.withResolvers<void>()

  constructor(host: MatrixHost, client: MatrixClient, botId: () => string) {
    this.#host = host
    this.#client = client
    this.#botId = botId
  }

  /** Says that there is something to send. */
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
        this.#host.log.warn('messages for Matrix could not be looked up', { error })
        await pause(backOffMs(error, failures), signal).catch(() => {})
      }
    }
    await Promise.all(this.#sending.values())
  }

  /** How long nothing is due, as far as this process knows. */
  #pauseMs(): number {
    const now = performance.now()
    return Math.min(lookEveryMs, ...[...this.#later.values()].flatMap(at => (at > now ? [at - now] : [])))
  }

  async #sendDue(signal: AbortSignal): Promise<void> {
    for (const message of await this.#due()) {
      const { roomId } = message
      const isAgain = this.#later.has(roomId)
      if (isAgain ? this.#again >= most.again : this.#sending.size - this.#again >= most.atOnce) continue
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
      log[level]('a message for a Matrix room could not be sent yet; it is tried again', { error })
      this.#later.set(roomId, performance.now() + roomPauseMs(clock.now() - at))
    }
  }

  /** The first message of each room that is not to be left alone now; rooms that took nothing before come last. */
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
      tx.updateTable('matrix_outbox').set({ state, text: '' }).where('id', '=', id).execute(),
    )
  }

  async #send({ id, roomId, text, at }: DueMessage, signal: AbortSignal): Promise<'done' | 'failed'> {
    const { log, clock, storage } = this.#host
    const [room] = await joinedRooms(storage.read, this.#botId(), { roomIds: [roomId] })
    if (!room) {
      log.warn('a message for a Matrix room is dropped: the bot is not in it any more')
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
      log.warn('a message for a Matrix room is given up', { error })
      return 'failed'
    }
  }
}
