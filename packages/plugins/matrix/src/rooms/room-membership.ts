import { pause, timeErrors, withTimeout } from '@sibyl/plugin'
import type { MatrixClient } from '../client/matrix-client.ts'
import { backOffMs, mayPass } from '../client/retry-send.ts'
import type { MatrixHost } from '../store/matrix-tables.ts'
import { forgetRoom } from './room-state.ts'

/** Number of consecutive failures before a pause, and the maximum pause in milliseconds; the homeserver may be down. */
const stop = { failures: 3, mostMs: 5_000 }
/** Maximum time until the homeserver reports a joined room, in milliseconds. */
const reportedMs = 60_000

/**
 * Joins the rooms that the bot is invited to, and leaves rooms without other members. A room that cannot be joined yet
 * does not delay others.
 */
export const createRoomMembership = (host: MatrixHost, client: MatrixClient) => {
  /** Times of retries, in milliseconds of `performance.now()`, by a room's membership and id. */
  const later = new Map<string, { readonly failures: number; readonly at: number }>()
  let running: Promise<void> | undefined
  let again = false
  /** Number of pauses since a room was last joined or left. */
  let pauses = 0
  let woken = Promise.withResolvers<void>()
  const check = async (signal: AbortSignal): Promise<void> => {
    for (let failures = 0; again && !signal.aborted; ) {
      again = false
      woken = Promise.withResolvers()
      try {
        const next = await tryAll(signal)
        failures = 0
        if (next !== undefined) await wait(next - performance.now(), signal)
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        host.log.warn('Matrix rooms could not be joined or left yet', { error })
        await pause(backOffMs(error, failures), signal).catch(() => {})
        again = true
      }
    }
  }
  /** Waits for a time limit or a kick. */
  const wait = async (limitMs: number, signal: AbortSignal): Promise<void> => {
    await withTimeout(() => woken.promise, { timeoutMs: limitMs, signal }).catch((error: unknown) => {
      if (timeErrors.timed_out.is(error)) again = true
    })
  }
  /** @returns the time of the next room; undefined if none waits */
  const tryAll = async (signal: AbortSignal): Promise<number | undefined> => {
    const rooms = await host.storage.read
      .selectFrom('matrix_rooms')
      .select(['room_id', 'stands'])
      .where('stands', '!=', 'joined')
      .orderBy('touched_at')
      .limit(10_000)
      .execute()
    const waiting = new Set(rooms.map(laterKey))
    for (const key of later.keys()) if (!waiting.has(key)) later.delete(key)
    let failuresInARow = 0
    for (const room of rooms) {
      const { room_id, stands } = room
      const key = laterKey(room)
      const { failures = 0, at = 0 } = later.get(key) ?? {}
      if (at > performance.now()) continue
      try {
        if (stands === 'invited') await join(room_id, signal)
        else await leave(room_id, signal)
        later.set(key, { failures: 0, at: performance.now() + reportedMs })
        failuresInARow = 0
        pauses = 0
      } catch (error) {
        if (signal.aborted) throw error
        host.log.warn('a Matrix room could not be joined or left yet', { error })
        later.set(key, { failures: failures + 1, at: performance.now() + backOffMs(error, failures + 1) })
        failuresInARow += 1
        if (failuresInARow < stop.failures) continue
        pauses += 1
        return performance.now() + Math.min(stop.mostMs, backOffMs(error, pauses))
      }
    }
    const due = [...later.values()].map(({ at }) => at)
    return due.length === 0 ? undefined : due.reduce((one, other) => Math.min(one, other))
  }
  const join = async (roomId: string, signal: AbortSignal): Promise<void> => {
    try {
      await client.join(roomId, signal)
    } catch (error) {
      if (mayPass(error) || signal.aborted) throw error
      host.log.info('an invitation to a Matrix room was not accepted', { error })
      await leave(roomId, signal)
    }
  }
  const leave = async (roomId: string, signal: AbortSignal): Promise<void> => {
    try {
      await client.leave(roomId, signal)
    } catch (error) {
      if (mayPass(error) || signal.aborted) throw error
    }
    await host.storage.write(tx => forgetRoom(tx, roomId))
  }
  return {
    /** Joins and leaves rooms as needed. Never rejects. */
    kick(signal: AbortSignal): void {
      again = true
      woken.resolve()
      running ??= check(signal).finally(() => {
        running = undefined
      })
    },
    /** Waits for the current work. */
    async idle(): Promise<void> {
      await running
    },
  }
}

const laterKey = ({ room_id, stands }: { readonly room_id: string; readonly stands: string }): string =>
  `${stands} ${room_id}`
