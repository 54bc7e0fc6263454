import type { RoomMedia } from '../client/room-media.ts'
import type { MatrixHost } from '../store/matrix-tables.ts'
import { sessionOf } from './conversations.ts'

/** A message to answer. */
export interface InboxMessage {
  readonly eventId: string
  readonly roomId: string
  readonly sender: string
  readonly thread: string | null
  readonly body: string
  readonly media: RoomMedia | undefined
  /** Number of earlier attempts. */
  readonly tries: number
  /** Number of messages of the answer that were started before, if more than one. */
  readonly parts: number
  /** Time at which it was stored, in milliseconds since 1970. */
  readonly at: number
  /** True if its room rejected an answer before. */
  readonly isLeft: boolean
}

/** Messages of one user in one room, which are answered one after the other. */
export interface Lane {
  readonly roomId: string
  readonly sender: string
  /** True if the room rejected an answer before. */
  readonly isLeft: boolean
}

/** Messages that wait for an answer at one time. */
export interface InboxLook {
  /** Lanes, longest waiting first; those of rooms that rejected an answer before come last. */
  readonly lanes: readonly Lane[]
  /** Time of the next room to retry, in milliseconds since 1970. */
  readonly nextRetry: number | undefined
}

export const createInbox = ({ storage, clock }: Pick<MatrixHost, 'storage' | 'clock'>) => {
  const lanes = async (now: number): Promise<readonly Lane[]> => {
    const rows = await storage.read
      .selectFrom('matrix_inbox')
      .select(({ fn }) => ['room_id', 'sender', fn.min('place').as('first'), fn.max('retry_at').as('retry')])
      .where('state', '=', 'waiting')
      .groupBy(['room_id', 'sender'])
      .having(({ fn }) => fn.max('retry_at'), '<=', now)
      .orderBy('retry')
      .orderBy('first')
      .limit(400)
      .execute()
    return rows.map(({ room_id: roomId, sender, retry }) => ({ roomId, sender, isLeft: Number(retry) > 0 }))
  }
  const nextRetry = async (now: number): Promise<number | undefined> => {
    const { next } = await storage.read
      .selectFrom('matrix_inbox')
      .select(({ fn }) => fn.min('retry_at').as('next'))
      .where('state', '=', 'waiting')
      .where('retry_at', '>', now)
      .executeTakeFirstOrThrow()
    return next === null ? undefined : Number(next)
  }
  return {
    /** Returns the waiting lanes and the next retry, as of one time, so that none is missed. */
    async check(): Promise<InboxLook> {
      const now = clock.now()
      return { lanes: await lanes(now), nextRetry: await nextRetry(now) }
    },
    /**
     * Postpones a message whose answer could not be sent, and all others of its room.
     *
     * @param retryAt In milliseconds since 1970.
     */
    async leave({ eventId, roomId }: Pick<InboxMessage, 'eventId' | 'roomId'>, retryAt: number): Promise<void> {
      await storage.write(async tx => {
        await tx.updateTable('matrix_inbox').set({ tries: 1 }).where('event_id', '=', eventId).execute()
        await tx
          .updateTable('matrix_inbox')
          .set({ retry_at: Math.ceil(retryAt) })
          .where(eb => eb.and({ state: 'waiting', room_id: roomId }))
          .execute()
      })
    },
    /** Returns the next message of a user in a room. */
    async next({ roomId, sender }: Pick<InboxMessage, 'roomId' | 'sender'>): Promise<InboxMessage | undefined> {
      const row = await storage.read
        .selectFrom('matrix_inbox')
        .selectAll()
        .where(eb => eb.and({ state: 'waiting', room_id: roomId, sender }))
        .orderBy('place')
        .limit(1)
        .executeTakeFirst()
      return (
        row && {
          eventId: row.event_id,
          roomId,
          sender,
          thread: row.thread,
          body: row.body,
          media: row.media === '' ? undefined : (JSON.parse(row.media) as RoomMedia),
          tries: row.tries,
          parts: row.parts,
          at: row.at,
          isLeft: row.retry_at > 0,
        }
      )
    },
    /** Stores the start of an answer, the user and the room. Returns false if the message must no longer be answered. */
    begin(message: InboxMessage, did: string): Promise<boolean> {
      const { eventId, roomId, sender, thread } = message
      return storage.write(async tx => {
        const begun = await tx
          .updateTable('matrix_inbox')
          .set({ tries: message.tries + 1 })
          .where(eb => eb.and({ event_id: eventId, state: 'waiting' }))
          .returning('place')
          .execute()
        if (begun.length === 0) return false
        await tx
          .insertInto('matrix_people')
          .values({ did, user_id: sender, since: clock.now() })
          .onConflict(conflict => conflict.column('did').doNothing())
          .execute()
        await tx
          .insertInto('matrix_conversations')
          .values({ session: sessionOf(roomId, thread), room_id: roomId, thread })
          .onConflict(conflict => conflict.column('session').doNothing())
          .execute()
        return true
      })
    },
    /** Stores that an answer has more messages, before the last one is sent. */
    async grows({ eventId }: Pick<InboxMessage, 'eventId'>, parts: number): Promise<void> {
      await storage.write(tx =>
        tx
          .updateTable('matrix_inbox')
          .set({ parts })
          .where('event_id', '=', eventId)
          .where('parts', '<', parts)
          .execute(),
      )
    },
    /** Drops the messages of a room that have waited since a time, in milliseconds since 1970. @returns their number */
    async giveUp(roomId: string, since: number): Promise<number> {
      const ended = await storage.write(tx =>
        tx
          .updateTable('matrix_inbox')
          .set({ state: 'done', body: '', media: '' })
          .where(eb => eb.and({ state: 'waiting', room_id: roomId }))
          .where('at', '<=', since)
          .returning('event_id')
          .execute(),
      )
      return ended.length
    },
    /** Marks a message as completed, and the question that it answered. Deletes its text. */
    async end({ eventId }: Pick<InboxMessage, 'eventId'>, answered?: string): Promise<void> {
      await storage.write(async tx => {
        await tx
          .updateTable('matrix_inbox')
          .set({ state: 'done', body: '', media: '' })
          .where('event_id', '=', eventId)
          .execute()
        if (answered !== undefined) {
          await tx.deleteFrom('matrix_questions').where('approval_id', '=', answered).execute()
        }
      })
    },
  }
}

/** The messages that wait for an answer. */
export type Inbox = ReturnType<typeof createInbox>
