import { z } from 'zod'
import { type MatrixEvent, matrixRoomId, matrixUserId, readEvent, storableId } from './matrix-event.ts'

/** The most events of one room, and the most rooms, that one answer is read for. */
const most = { events: 20_000, rooms: 10_000 }

const events = z.object({ events: z.array(z.unknown()).transform(all => all.slice(0, most.events)) }).partial()
const roomMap = <Room extends z.ZodType>(room: Room) =>
  z.record(z.string(), room.optional().catch(undefined)).optional()

const syncAnswer = z.object({
  next_batch: storableId.max(4_000),
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

/** What happened in a room that the bot is in. */
export interface JoinedRoom {
  readonly roomId: string
  /** The state before the timeline, as far as it changed. */
  readonly state: readonly MatrixEvent[]
  readonly timeline: readonly MatrixEvent[]
  /** Where the timeline begins after a gap: events before it were left out. */
  readonly gapBefore: string | undefined
  /** Who is in it, with their names, where that was asked for by itself; `unreadable` where that is too long to be read. */
  readonly members?: ReadonlyMap<string, string | null> | 'unreadable'
}

/** What one long poll brought. */
export interface SyncBatch {
  /** From where the next poll goes on. */
  readonly nextBatch: string
  /** Whether it tells only of those members of rooms who spoke: all of them were too many. */
  readonly isPartial: boolean
  readonly joined: readonly JoinedRoom[]
  readonly invited: readonly { readonly roomId: string; readonly state: readonly MatrixEvent[] }[]
  readonly left: readonly string[]
}

/** Reads the answer of `GET /sync`; undefined for what is none. Events and rooms that are broken are left out. */
export const readSync = (given: unknown, isPartial = false): SyncBatch | undefined => {
  const { data } = syncAnswer.safeParse(given)
  if (!data) return undefined
  const { join = {}, invite = {}, leave = {} } = data.rooms ?? {}
  return {
    nextBatch: data.next_batch,
    isPartial,
    joined: roomsOf(join).map(([roomId, { state, timeline }]) => ({
      roomId,
      state: eventsOf(state?.events),
      timeline: eventsOf(timeline?.events),
      gapBefore: timeline?.limited === true ? timeline.prev_batch : undefined,
    })),
    invited: roomsOf(invite).map(([roomId, room]) => ({ roomId, state: eventsOf(room.invite_state?.events) })),
    left: Object.keys(leave).filter(isRoomId).slice(0, most.rooms),
  }
}

const member = z.object({ display_name: z.string().nullish().catch(undefined) })

/** Reads the members of `GET /joined_members`; what is no user is left out. */
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
    .slice(0, most.rooms)

const eventsOf = (given: readonly unknown[] = []): MatrixEvent[] =>
  given.map(readEvent).filter(event => event !== undefined)
