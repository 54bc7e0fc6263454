import type { MatrixEvent } from '../client/matrix-event.ts'
import type { MatrixHost, MatrixTransaction } from '../store/matrix-tables.ts'
import type { SealedMessage, WaitingMessage } from './opened-batch.ts'
import { sessionIdOf } from './ratchet-place.ts'

/** Time that a message waits for its key, in milliseconds. */
const keyMs = 60_000
/** Maximum number of messages that wait for keys, and of those that are read at once. */
const max = { waiting: 500, atOnce: 100 }

/** The encrypted messages whose key has not arrived. */
export class WaitingMessages {
  readonly #host: Pick<MatrixHost, 'storage' | 'clock'>

  constructor(host: Pick<MatrixHost, 'storage' | 'clock'>) {
    this.#host = host
  }

  /** Returns those that are waiting, oldest first. */
  async list(): Promise<WaitingMessage[]> {
    return (await this.#rows(max.waiting)).map(messageOf)
  }

  /** Stores a message that waits; too many are dropped. */
  async add(tx: MatrixTransaction, { roomId, event }: Pick<SealedMessage, 'roomId' | 'event'>): Promise<void> {
    if (event.id === undefined) return
    const { waiting } = await tx
      .selectFrom('matrix_undecrypted')
      .select(({ fn }) => fn.countAll<number>().as('waiting'))
      .executeTakeFirstOrThrow()
    if (Number(waiting) >= max.waiting) return
    await tx
      .insertInto('matrix_undecrypted')
      .values({
        event_id: event.id,
        room_id: roomId,
        sender: event.sender,
        content: JSON.stringify(event.content).replaceAll('\\u0000', ''),
        sent_at: Math.trunc(event.at ?? 0),
        at: this.#host.clock.now(),
      })
      .onConflict(conflict => conflict.column('event_id').doNothing())
      .execute()
  }

  async remove(tx: MatrixTransaction, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await tx.deleteFrom('matrix_undecrypted').where('event_id', 'in', ids).execute()
  }

  /** Returns messages that waited too long, one of each session. */
  async expired(): Promise<{ readonly ids: readonly string[]; readonly sessions: readonly WaitingMessage[] }> {
    const before = this.#host.clock.now() - keyMs
    const messages = (await this.#rows(max.atOnce)).filter(({ at }) => at <= before).map(messageOf)
    const bySession = new Map(messages.map(message => [`${message.roomId} ${sessionIdOf(message.event)}`, message]))
    return { ids: messages.map(({ event }) => event.id!), sessions: [...bySession.values()] }
  }

  #rows(limit: number) {
    return this.#host.storage.read.selectFrom('matrix_undecrypted').selectAll().orderBy('place').limit(limit).execute()
  }
}

const messageOf = (row: {
  readonly event_id: string
  readonly room_id: string
  readonly sender: string
  readonly content: string
  readonly sent_at: number
}): WaitingMessage => ({
  roomId: row.room_id,
  event: {
    type: 'm.room.encrypted',
    sender: row.sender,
    content: JSON.parse(row.content) as MatrixEvent['content'],
    id: row.event_id,
    stateKey: undefined,
    at: row.sent_at,
    redacts: undefined,
  },
})
