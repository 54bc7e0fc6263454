import { z } from 'zod'
import { type MatrixEvent, matrixRoomId, matrixUserId, readEvent, storableId } from './matrix-event.ts'

/** Maximum number of events of one room, and of rooms, that are read from one response. */
const max = { events: 20_000, rooms: 10_000, users: 20_000 }

const events = z.object({ events: z.array(z.unknown()).transform(all => all.slice(0, max.events)) }).partial()
const roomMap = <Room extends z.ZodType>(room: Room) =>
  z.record(z.string(), room.optional().catch(undefined)).optional()

const users = z
  .array(z.unknown())
  .transform(all => all.slice(0, max.users).filter(id => matrixUserId.safeParse(id).success) as string[])
  .default([])
  .catch([])

const syncAnswer = z.object({
  next_batch: storableId.max(4_000),
  to_device: events.optional().catch(undefined),
  device_lists: z.object({ changed: users, left: users }).optional().catch(undefined),
  device_one_time_keys_count: z.record(z.string(), z.number().int().min(0)).optional().catch(undefined),
  device_unused_fallback_key_types: z.array(z.string()).max(100).optional().catch(undefined),
  rooms: z
    .object({
      join: roomMap(
        z.object({
          state: events.optional(),
          timeline: events
            .extend({ limited: z.boolean().optional(), prev_batch: z.string().max(4_000).optional() })
            .optional(),
        }),
      ),
      invite: roomMap(z.object({ invite_state: events.optional() })),
      leave: roomMap(z.unknown()),
    })
    .optional(),
})

/** Events of a room that the bot is in. */
export interface JoinedRoom {
  readonly roomId: string
  /** State before the timeline, as far as it changed. */
  readonly state: readonly MatrixEvent[]
  readonly timeline: readonly MatrixEvent[]
  /** Start of the timeline after a gap: earlier events were omitted. */
  readonly gapBefore: string | undefined
  /** Members with their names, if they were requested separately; `unreadable` if the list is too long. */
  readonly members?: ReadonlyMap<string, string | null> | 'unreadable'
}

/** The parts of a poll that concern encryption. */
export interface SyncKeys {
  /** Events for this device, in order. */
  readonly toDevice: readonly unknown[]
  /** Users whose devices changed, and users who share no encrypted room any more. */
  readonly changed: readonly string[]
  readonly left: readonly string[]
  readonly oneTimeKeys: Readonly<Record<string, number>>
  readonly unusedFallbackKeys: readonly string[] | undefined
}

/** Result of one long poll. */
export interface SyncBatch {
  /** Position for the next poll. */
  readonly nextBatch: string
  /** True if only members who spoke are included, because all were too many. */
  readonly isPartial: boolean
  readonly keys: SyncKeys
  readonly joined: readonly JoinedRoom[]
  readonly invited: readonly { readonly roomId: string; readonly state: readonly MatrixEvent[] }[]
  readonly left: readonly string[]
}

/** Parses the response of `GET /sync`; undefined if it is invalid. Invalid events and rooms are omitted. */
export const readSync = (given: unknown, isPartial = false): SyncBatch | undefined => {
  const { data } = syncAnswer.safeParse(given)
  if (!data) return undefined
  const { join = {}, invite = {}, leave = {} } = data.rooms ?? {}
  return {
    nextBatch: data.next_batch,
    isPartial,
    keys: {
      toDevice: data.to_device?.events ?? [],
      changed: data.device_lists?.changed ?? [],
      left: data.device_lists?.left ?? [],
      oneTimeKeys: data.device_one_time_keys_count ?? {},
      unusedFallbackKeys: data.device_unused_fallback_key_types,
    },
    joined: roomsOf(join).map(([roomId, { state, timeline }]) => ({
      roomId,
      state: eventsOf(state?.events),
      timeline: eventsOf(timeline?.events),
      gapBefore: timeline?.limited === true ? timeline.prev_batch : undefined,
    })),
    invited: roomsOf(invite).map(([roomId, room]) => ({ roomId, state: eventsOf(room.invite_state?.events) })),
    left: Object.keys(leave).filter(isRoomId).slice(0, max.rooms),
  }
}

const member = z.object({ display_name: z.string().nullish().catch(undefined) })

/** Parses the members of `GET /joined_members`; invalid users are omitted. */
export const readMembers = (given: Readonly<Record<string, unknown>>): ReadonlyMap<string, string | null> =>
  new Map(
    Object.entries(given)
      .filter(([userId]) => matrixUserId.safeParse(userId).success)
      .map(([userId, one]) => [userId, member.safeParse(one).data?.display_name ?? null]),
  )

const isRoomId = (text: string): boolean => matrixRoomId.safeParse(text).success

const roomsOf = <Room>(rooms: Readonly<Record<string, Room | undefined>>): [string, Room][] =>
  Object.entries(rooms)
    .flatMap(([roomId, room]): [string, Room][] => (room !== undefined && isRoomId(roomId) ? [[roomId, room]] : []))
    .slice(0, max.rooms)

const eventsOf = (given: readonly unknown[] = []): MatrixEvent[] =>
  given.map(readEvent).filter(event => event !== undefined)
