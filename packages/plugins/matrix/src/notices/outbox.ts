import { setTimeout as sleep } from 'node:timers/promises'
import { textContent } from '../answers/message-content.ts'
import { splitText } from '../answers/split-text.ts'
import { backOffMs } from '../client/back-off.ts'
import type { MatrixClient } from '../client/matrix-client.ts'
import { mayPass } from '../client/persistent-send.ts'
import { MatrixUnavailable } from '../matrix-errors.ts'
import { joinedRooms } from '../rooms/room-facts.ts'
import type { MatrixHost } from '../store/matrix-tables.ts'

/** How often the outbox is looked at for what other processes put there, in milliseconds. */
const lookEveryMs = 2_000
/** How long a message is tried, in milliseconds. */
const triedMs = 24 * 3_600_000
/** After how many failures in a row all rooms wait: the homeserver may be away. */
const mostFailures = 3

/**
 * Sends what waits in the outbox; each message at most once, by its transaction id. The messages of a room go in their
 * order; a room that takes none yet holds no other up.
 */
export class Outbox {
  readonly #host: MatrixHost
  readonly #client: MatrixClient
  readonly #botId: () => string
  /** Rooms that are not to be tried before a time, in milliseconds of `performance.now()`. */
  readonly #later = new Map<string, { readonly failures: number; readonly at: number }>()
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
        await this.#wait(lookEveryMs, signal)
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        this.#host.log.warn('a message for Matrix could not be sent yet', { error })
        await sleep(backOffMs(error, failures), undefined, { signal }).catch(() => {})
      }
    }
  }

  async #wait(limitMs: number, signal: AbortSignal): Promise<void> {
    const limit = new AbortController()
    const time = sleep(limitMs, undefined, { signal: AbortSignal.any([signal, limit.signal]) }).catch(() => {})
    await Promise.race([time, this.#woken.promise])
    limit.abort()
  }

  async #sendDue(signal: AbortSignal): Promise<void> {
    let failuresInARow = 0
    for (;;) {
      const due = await this.#due()
      if (due.length === 0) return
      for (const { id, room_id, text, at } of due) {
        try {
          const state = await this.#send({ id, roomId: room_id, text, at }, signal)
          await this.#end(id, state)
          this.#later.delete(room_id)
          failuresInARow = 0
        } catch (error) {
          failuresInARow += 1
          if (signal.aborted || !(error instanceof MatrixUnavailable) || failuresInARow === mostFailures) throw error
          this.#host.log.warn('a message for a Matrix room could not be sent yet', { error })
          const failures = (this.#later.get(room_id)?.failures ?? 0) + 1
          this.#later.set(room_id, { failures, at: performance.now() + backOffMs(error, failures) })
        }
      }
    }
  }

  /** The first message of each room that is not to be left alone now. */
  #due() {
    const { read } = this.#host.storage
    const resting = [...this.#later].flatMap(([roomId, { at }]) => (at > performance.now() ? [roomId] : []))
    const firsts = read
      .selectFrom('matrix_outbox')
      .select(({ fn }) => fn.min('place').as('place'))
      .where('state', '=', 'waiting')
      .$if(resting.length > 0, rooms => rooms.where('room_id', 'not in', resting))
      .groupBy('room_id')
    return read
      .selectFrom('matrix_outbox')
      .selectAll()
      .where('place', 'in', firsts)
      .orderBy('place')
      .limit(50)
      .execute()
  }

  async #end(id: string, state: 'done' | 'failed'): Promise<void> {
    await this.#host.storage.write(tx =>
      tx.updateTable('matrix_outbox').set({ state, text: '' }).where('id', '=', id).execute(),
    )
  }

  async #send(
    {
      id,
      roomId,
      text,
      at,
    }: { readonly id: string; readonly roomId: string; readonly text: string; readonly at: number },
    signal: AbortSignal,
  ): Promise<'done' | 'failed'> {
    const { log, clock, storage } = this.#host
    const [room] = await joinedRooms(storage.read, this.#botId(), { roomIds: [roomId] })
    if (!room) {
      log.warn('a message for a Matrix room is dropped: the bot is not in it any more')
      return 'failed'
    }
    try {
      for (const [place, part] of splitText(text).entries()) {
        await this.#client.send(roomId, `sibyl-${id}-${place}`, textContent(part, { thread: null }), signal)
      }
      return 'done'
    } catch (error) {
      if (mayPass(error) && clock.now() - at < triedMs) throw error
      if (signal.aborted) throw error
      log.error('a message for a Matrix room is given up', { error })
      return 'failed'
    }
  }
}
