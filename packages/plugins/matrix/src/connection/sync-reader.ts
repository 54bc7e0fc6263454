import type { HistoryPage, MatrixClient } from '../client/matrix-client.ts'
import { isAnswerTooLong, matrixErrors } from '../client/matrix-errors.ts'
import type { MatrixEvent } from '../client/matrix-event.ts'
import type { JoinedRoom, SyncBatch } from '../client/read-sync.ts'
import type { SignIn } from '../client/sign-in.ts'
import { sessionIdOf } from '../encryption/ratchet-place.ts'
import type { RoomEncryption } from '../encryption/room-encryption.ts'
import { putIntoOutbox } from '../notices/outbox.ts'
import type { Lease } from '../store/lease.ts'
import type { MatrixHost, MatrixStorage } from '../store/matrix-tables.ts'
import { type TakeBatchDependencies, type TakenBatch, takeBatch } from './take-batch.ts'
import type { SuspectMessage } from './unread-messages.ts'

const createWholeMembers = (client: MatrixClient, log: MatrixHost['log']) => {
  let failures = 0
  const read = async (roomId: string, signal: AbortSignal): Promise<NonNullable<JoinedRoom['members']>> => {
    try {
      const members = await client.members(roomId, signal)
      failures = 0
      return members
    } catch (error) {
      failures += 1
      const isForGood = isAnswerTooLong(error) || matrixErrors.matrix_refused.is(error)
      if (signal.aborted || (!isForGood && failures < maxFailures)) throw error
      failures = 0
      log.warn('the bot leaves a Matrix room because its members cannot be read', { error })
      return 'unreadable'
    }
  }
  return {
    /**
     * Returns the rooms of a batch with all members of those that are incomplete.
     *
     * @param isKnown Returns whether the bot was in a room before and its members are stored.
     * @throws errors of the homeserver
     */
    async fill(
      batch: SyncBatch,
      isKnown: (roomId: string) => Promise<boolean>,
      signal: AbortSignal,
    ): Promise<readonly JoinedRoom[]> {
      if (!batch.isPartial) return batch.joined
      const filled: JoinedRoom[] = []
      for (const room of batch.joined) {
        const isReported = room.gapBefore === undefined && (await isKnown(room.roomId))
        filled.push(isReported ? room : { ...room, members: await read(room.roomId, signal) })
      }
      return filled
    },
  }
}

/** Reads the members of rooms for which a poll was incomplete, because the complete list was too long. */
type WholeMembers = ReturnType<typeof createWholeMembers>

/** Maximum number of pages of 100 events with which a gap in a room is filled. */
const maxPages = 20
/**
 * Number of consecutive failures after which a gap or the members of a room are skipped, so that one room cannot block
 * all others.
 */
const maxFailures = 5
/** Maximum number of messages of a batch that are logged because they were not read. */
const maxLogged = 5
const suspectTexts: Readonly<Record<SuspectMessage['why'], string>> = {
  forged: 'an encrypted Matrix message was not read: its device is not one of its sender',
  replayed: 'an encrypted Matrix message was not read: it is a copy or came after later ones',
  plain: 'a Matrix message without encryption was not read in an encrypted room',
}
/** Interval at which the position is stored without events, in milliseconds. */
const storeEveryMs = 600_000

export interface SyncReaderDependencies extends TakeBatchDependencies {
  readonly host: MatrixHost
  readonly client: MatrixClient
  readonly signIn: SignIn
  readonly encryption: RoomEncryption
  /** Called with the changes of each batch, once they are on disk. */
  readonly onTaken: (batch: SyncBatch, taken: TakenBatch) => void
  /** Called when a message was queued. */
  readonly onQueued: () => void
}

export const createSyncReader = (parts: SyncReaderDependencies) => {
  const members: WholeMembers = createWholeMembers(parts.client, parts.host.log)
  /** Position and user of the next poll; undefined if it must be read from the database. */
  let place: { readonly userId: string; readonly since: string } | undefined
  let storedAt = 0
  /** Number of consecutive failures to fill a gap. */
  let historyFailures = 0
  /** True if the homeserver has responded since the last restart of reading, so that a poll may wait. */
  let hasRead = false
  const take = async (
    batch: SyncBatch,
    { userId, since }: { readonly userId: string; readonly since: string | undefined },
    signal: AbortSignal,
  ): Promise<void> => {
    const now = performance.now()
    const { encryption, host } = parts
    const isEmpty = batch.joined.length + batch.invited.length + batch.left.length === 0
    if (!isEmpty || encryption.concerns(batch) || since === undefined || now - storedAt > storeEveryMs) {
      const rooms = await members.fill(batch, roomId => isIn(roomId), signal)
      const joined = since === undefined ? rooms : await fill(rooms, since, signal)
      const whole = { ...batch, joined }
      const first = since === undefined
      const taken = await encryption.receive(whole, { isFirst: first, signal }, opened =>
        takeBatch(parts, opened, { userId, first }),
      )
      storedAt = now
      place = { userId, since: batch.nextBatch }
      await encryption.requestKeys(signal)
      for (const { roomId: room, eventId: event, why } of taken.suspects.slice(0, maxLogged)) {
        host.log.warn(suspectTexts[why], { room, event, messages: taken.suspects.length })
      }
      parts.onTaken(whole, taken)
    }
    place = { userId, since: batch.nextBatch }
  }
  const stored = async (userId: string) => {
    const row = await parts.storage.read
      .selectFrom('matrix_accounts')
      .select('next_batch')
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row && { userId, since: row.next_batch }
  }
  /** Fetches the events that a poll omitted, for rooms that the bot was in before. */
  const fill = async (rooms: readonly JoinedRoom[], since: string, signal: AbortSignal): Promise<JoinedRoom[]> => {
    const filled: JoinedRoom[] = []
    for (const room of rooms) {
      const isKnown = room.gapBefore !== undefined && (await isIn(room.roomId))
      filled.push(isKnown ? { ...room, timeline: [...(await missed(room, since, signal)), ...room.timeline] } : room)
    }
    return filled
  }
  const isIn = async (roomId: string): Promise<boolean> => {
    const row = await parts.storage.read
      .selectFrom('matrix_rooms')
      .select('stands')
      .where('room_id', '=', roomId)
      .executeTakeFirst()
    return row?.stands === 'joined'
  }
  const missed = async (
    { roomId, gapBefore }: JoinedRoom,
    since: string,
    signal: AbortSignal,
  ): Promise<MatrixEvent[]> => {
    const { client, host } = parts
    const missed: MatrixEvent[] = []
    let from = gapBefore
    for (let pages = 0; from !== undefined && pages < maxPages; pages += 1) {
      try {
        const page: HistoryPage = await client.history(roomId, from, since, signal)
        missed.push(...page.events)
        from = page.next === from ? undefined : page.next
        historyFailures = 0
      } catch (error) {
        historyFailures += 1
        const isTriedAgain = !matrixErrors.matrix_refused.is(error) && historyFailures < maxFailures
        if (signal.aborted || isTriedAgain) throw error
        historyFailures = 0
        host.log.warn('missed messages of a Matrix room cannot be read', { error, read: missed.length })
        return missed.toReversed()
      }
    }
    if (from !== undefined)
      host.log.warn('a Matrix room had too many new messages; older ones are skipped', { read: missed.length })
    return missed.toReversed()
  }
  return {
    /** Reads the position from the database again, because another process may have read meanwhile. */
    reset(): void {
      place = undefined
      hasRead = false
    },
    /** Waits for the next events and stores them. */
    async next(signal: AbortSignal): Promise<void> {
      const { client, host, signIn } = parts
      const { userId } = signIn
      if (place?.userId !== userId) place = await stored(userId)
      const since = place?.since
      try {
        const batch = await client.sync(since, hasRead, signal)
        hasRead = true
        await take(batch, { userId, since }, signal)
        if (await reportMissingKeys(parts)) parts.onQueued()
      } catch (error) {
        this.reset()
        const isUnknown = matrixErrors.matrix_refused.is(error) && error.facts.answerStatus === 400
        if (since === undefined || !isUnknown) throw error
        host.log.warn('the homeserver no longer knows the position in Matrix; missed messages are not answered', {
          error,
        })
        await take(await client.sync(undefined, false, signal), { userId, since: undefined }, signal)
      }
    },
  }
}

/** Reads events from the last position, and stores them before it continues. */
export type SyncReader = ReturnType<typeof createSyncReader>

const missingText =
  'I could not decrypt your message, because its key or your device did not become known to me. Please send it again. If that does not help, restart your client.'

interface MissingKeysDependencies {
  readonly storage: MatrixStorage
  readonly lease: Lease
  readonly encryption: Pick<RoomEncryption, 'isUsed' | 'waiting'>
  readonly now: () => number
}

/**
 * Gives up on messages whose key did not arrive in time, with one notice for each session.
 *
 * @returns whether there were any
 */
const reportMissingKeys = async ({ storage, lease, encryption, now }: MissingKeysDependencies): Promise<boolean> => {
  if (!encryption.isUsed) return false
  const { ids, sessions } = await encryption.waiting.expired()
  if (ids.length === 0) return false
  await storage.write(async tx => {
    await lease.hold(tx)
    await encryption.waiting.remove(tx, ids)
    for (const { roomId, event } of sessions) {
      const key = `undecrypted ${roomId} ${sessionIdOf(event)}`
      await putIntoOutbox(tx, { key, roomId, text: missingText, did: '', now: now() })
    }
  })
  return true
}
