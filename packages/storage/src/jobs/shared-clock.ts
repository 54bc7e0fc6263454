import { type Clock, systemClock } from '../clock.ts'
import { sql } from '../kysely.ts'
import type { Storage } from '../storage.ts'

/**
 * A clock that processes which share a database agree on: the computer's, moved by what PostgreSQL's clock is ahead. A
 * clock that brings its own timers is taken as it is.
 */
export class SharedClock implements Required<Clock> {
  readonly #clock: Required<Clock>
  readonly #measured: boolean
  #aheadMs = 0

  constructor(storage: Pick<Storage, 'engine'>, clock: Clock) {
    this.#clock = { now: () => clock.now(), schedule: clock.schedule?.bind(clock) ?? systemClock.schedule }
    this.#measured = storage.engine === 'postgres' && (clock.schedule === undefined || clock === systemClock)
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs
  }

  schedule(delayMs: number, run: () => void): () => void {
    return this.#clock.schedule(delayMs, run)
  }

  /** Compares the clocks. */
  async measure<Tables>(storage: Pick<Storage<Tables>, 'read'>): Promise<void> {
    if (!this.#measured) return
    const asked = this.#clock.now()
    const { rows } = await sql<{
      now: number
    }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(storage.read)
    const answered = this.#clock.now()
    this.#aheadMs = Math.round((rows[0]?.now ?? answered) - (asked + answered) / 2)
  }
}
