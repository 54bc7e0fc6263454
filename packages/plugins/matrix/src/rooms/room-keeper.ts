import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs } from '../client/back-off.ts'
import type { MatrixClient } from '../client/matrix-client.ts'
import { mayPass } from '../client/persistent-send.ts'
import type { MatrixHost } from '../store/matrix-tables.ts'
import { forgetRoom } from './room-state.ts'

/** Joins the rooms that the bot is invited to, and leaves those where nobody else is left. */
export class RoomKeeper {
  readonly #host: MatrixHost
  readonly #client: MatrixClient
  #running: Promise<void> | undefined
  #again = false

  constructor(host: MatrixHost, client: MatrixClient) {
    this.#host = host
    this.#client = client
  }

  /** Looks for rooms to join and to leave. Never rejects. */
  kick(signal: AbortSignal): void {
    this.#again = true
    this.#running ??= this.#look(signal).finally(() => {
      this.#running = undefined
    })
  }

  /** Waits for what is under way. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #look(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (this.#again && !signal.aborted) {
      this.#again = false
      try {
        const rooms = await this.#host.storage.read
          .selectFrom('matrix_rooms')
          .select(['room_id', 'stands'])
          .where('stands', '!=', 'joined')
          .orderBy('touched_at')
          .limit(100)
          .execute()
        for (const { room_id, stands } of rooms) {
          if (stands === 'invited') await this.#join(room_id, signal)
          else await this.#leave(room_id, signal)
        }
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        this.#host.log.warn('a Matrix room could not be joined or left yet', { error })
        await sleep(backOffMs(error, failures), undefined, { signal }).catch(() => {})
        this.#again = true
      }
    }
  }

  async #join(roomId: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#client.join(roomId, signal)
    } catch (error) {
      if (mayPass(error) || signal.aborted) throw error
      this.#host.log.info('an invitation to a Matrix room could not be taken', { error })
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
