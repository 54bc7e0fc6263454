import { z } from 'zod'
import type { MatrixEvent } from '../client/matrix-event.ts'
import type { SyncBatch } from '../client/read-sync.ts'
import { type RatchetPlace, ratchetPlace } from './ratchet-place.ts'
import type { OpenedEvent, RecordChange } from './thread/crypto-messages.ts'

export interface WaitingMessage {
  readonly roomId: string
  readonly event: MatrixEvent
}

/** An encrypted message that could not be read. */
export interface SealedMessage {
  readonly roomId: string
  readonly event: MatrixEvent
  readonly fault: 'missing' | 'withheld' | 'forged'
}

/** A batch whose encrypted messages are decrypted, as far as their keys are there. */
export interface OpenedBatch {
  readonly batch: SyncBatch
  /** Events whose key arrived with this batch; they are part of it. */
  readonly released: readonly string[]
  readonly sealed: readonly SealedMessage[]
  /** Places of the decrypted messages. */
  readonly places: ReadonlyMap<MatrixEvent, RatchetPlace>
  readonly changes: readonly RecordChange[]
  /** True if encrypted rooms cannot be read. */
  readonly isOff: boolean
}

const decryptedEvent = z.object({
  type: z.literal('m.room.message'),
  content: z.record(z.string(), z.unknown()),
})

/** Returns the JSON of an event for the library. */
export const eventJson = (roomId: string, { type, sender, content, id, at }: MatrixEvent): string =>
  JSON.stringify({ type, sender, content, event_id: id, origin_server_ts: at ?? 0, room_id: roomId })

/**
 * Returns a message with its decrypted content; undefined for other events, which could otherwise change the state of
 * the room or delete messages of others. Its id,
 * sender, time and relation stay those of the encrypted one.
 */
const decryptedAs = (event: MatrixEvent, opened: OpenedEvent): MatrixEvent | undefined => {
  if (!('event' in opened)) return undefined
  const { data } = decryptedEvent.safeParse(JSON.parse(opened.event))
  if (!data) return undefined
  const relation = event.content['m.relates_to']
  const content = relation === undefined ? data.content : { 'm.relates_to': relation, ...data.content }
  return { ...event, type: data.type, content }
}

/** Returns whether an event is state that encrypts its room. */
export const isEncryption = ({ type, stateKey }: MatrixEvent): boolean =>
  type === 'm.room.encryption' && stateKey === ''

/** Returns whether a batch brings an encrypted room. */
export const hasEncryption = ({ joined, invited }: SyncBatch): boolean =>
  joined.some(({ state, timeline }) => [...state, ...timeline].some(isEncryption)) ||
  invited.some(({ state }) => state.some(isEncryption))

export const encryptedOf = ({ joined }: SyncBatch): WaitingMessage[] =>
  joined.flatMap(({ roomId, timeline }) => timeline.flatMap(event => (isSealed(event) ? [{ roomId, event }] : [])))

/** Encrypted state is not read: it could replace the state of a room. */
const isSealed = ({ type, stateKey }: MatrixEvent): boolean => type === 'm.room.encrypted' && stateKey === undefined

type Results = ReadonlyMap<MatrixEvent, OpenedEvent>

/** Returns a batch with its decrypted messages; those whose key arrived now come first in their rooms. */
export const openedBatch = (
  batch: SyncBatch,
  waiting: readonly WaitingMessage[],
  results: Results,
): Pick<OpenedBatch, 'batch' | 'released' | 'sealed' | 'places'> => {
  const sealed: SealedMessage[] = []
  const places = new Map<MatrixEvent, RatchetPlace>()
  const decrypt = (event: MatrixEvent, result: OpenedEvent): MatrixEvent | undefined => {
    const place = ratchetPlace(event)
    const opened = place && decryptedAs(event, result)
    if (opened) places.set(opened, place)
    return opened
  }
  const open = (roomId: string, event: MatrixEvent): MatrixEvent => {
    const result = results.get(event)
    if (!result) return event
    if ('fault' in result && result.fault !== 'unreadable') sealed.push({ roomId, event, fault: result.fault })
    return decrypt(event, result) ?? event
  }
  const joined = batch.joined.map(room => ({
    ...room,
    timeline: room.timeline.map(event => open(room.roomId, event)),
  }))
  const released = waiting
    .filter(({ roomId }) => !batch.left.includes(roomId))
    .flatMap(({ roomId, event }) => {
      const opened = decrypt(event, results.get(event)!)
      return opened ? [{ roomId, event: opened }] : []
    })
  for (const [roomId, some] of Map.groupBy(released, one => one.roomId)) {
    const events = some.map(({ event }) => event)
    const place = joined.findIndex(room => room.roomId === roomId)
    const room = joined[place]
    if (room) joined[place] = { ...room, timeline: [...events, ...room.timeline] }
    else joined.push({ roomId, state: [], timeline: events, gapBefore: undefined })
  }
  return { batch: { ...batch, joined }, released: released.map(({ event }) => event.id!), sealed, places }
}
