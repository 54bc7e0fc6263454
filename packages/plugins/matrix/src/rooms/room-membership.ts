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
export class RoomMembership {
  readonly #host: MatrixHost
  readonly #client: MatrixClient
  /** Times of retries, in milliseconds of `performance.now()`, by a room's membership and id. */
  readonly #later = new Map<string, { readonly failures: number; readonly at: number }>()
  #running: Promise<void> | undefined
  #again = false
  /** Number of pauses since a room was last joined or left. */
  #pauses = 0
  #woken = Promise.withResolvers<void>()

  constructor(host: MatrixHost, client: MatrixClient) {
    this.#host = host
    this.#client = client
  }

  /** Joins and leaves rooms as needed. Never rejects. */
  kick(signal: AbortSignal): void {
    this.#again = true
    this.#woken.resolve()
    this.#running ??= this.#check(signal).finally(() => {
      this.#running = undefined
    })
  }

  /** Waits for the current work. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #check(signal: AbortSignal): Promise<void> {
    for (let failures = 0; this.#again && !signal.aborted; ) {
      this.#again = false
      this.#woken = Promise.withResolvers()
      try {
        const next = await this.#tryAll(signal)
        failures = 0
        if (next !== undefined) await this.#wait(next - performance.now(), signal)
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        this.#host.log.warn('Matrix rooms could not be joined or left yet', { error })
        await pause(backOffMs(error, failures), signal).catch(() => {})
        this.#again = true
      }
    }
  }

  /** Waits for a time limit or a kick. */
  async #wait(limitMs: number, signal: AbortSignal): Promise<void> {
    await withTimeout(() => this.#woken.promise, { timeoutMs: limitMs, signal }).catch((error: unknown) => {
      if (timeErrors.timed_out.is(error)) this.#again = true
    })
  }

  /** @returns the time of the next room; undefined if none waits */
  async #tryAll(signal: AbortSignal): Promise<number | undefined> {
    const rooms = await this.#host.storage.read
      .selectFrom('matrix_rooms')
      .select(['room_id', 'stands'])
      .where('stands', '!=', 'joined')
      .orderBy('touched_at')
      .limit(10_000)
      .execute()
    const waiting = new Set(rooms.map(laterKey))
    for (const key of this.#later.keys()) if (!waiting.has(key)) this.#later.delete(key)
    let failuresInARow = 0
    for (const room of rooms) {
      const { room_id, stands } = room
      const key = laterKey(room)
      const { failures = 0, at = 0 } = this.#later.get(key) ?? {}
      if (at > performance.now()) continue
      try {
        if (stands === 'invited') await this.#join(room_id, signal)
        else await this.#leave(room_id, signal)
        this.#later.set(key, { failures: 0, at: performance.now() + reportedMs })
        failuresInARow = 0
        this.#pauses = 0
      } catch (error) {
        if (signal.aborted) throw error
        this.#host.log.warn('a Matrix room could not be joined or left yet', { error })
        this.#later.set(key, { failures: failures + 1, at: performance.now() + backOffMs(error, failures + 1) })
        failuresInARow += 1
        if (failuresInARow < stop.failures) continue
        this.#pauses += 1
        return performance.now() + Math.min(stop.mostMs, backOffMs(error, this.#pauses))
      }
    }
    const due = [...this.#later.values()].map(({ at }) => at)
    return due.length === 0 ? undefined : due.reduce((one, other) => Math.min(one, other))
  }

  async #join(roomId: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#client.join(roomId, signal)
    } catch (error) {
      if (mayPass(error) || signal.aborted) throw error
      this.#host.log.info('an invitation to a Matrix room was not accepted', { error })
      await this.#leave(roomId, signal)
    }
  }

  async #leave(roomId: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#client.leave(roomId, signal)
    } catch (error) {
      if (mayPass(error) || signal.aborted) throw error
    }
    await this.#host.storage.write(tx => forgetRoom(tx, roomId))
  }
}

const laterKey = ({ room_id, stands }: { readonly room_id: string; readonly stands: string }): string =>
  `${stands} ${room_id}`
