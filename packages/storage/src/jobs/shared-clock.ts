import type { Storage } from '../contract/storage.ts'
import { sql } from '../sql/kysely.ts'
import { type Clock, systemClock } from '../time/clock.ts'

/** Interval of reading the time of the database, in milliseconds: a stopwatch stops while a computer sleeps. */
const MEASURE_EVERY_MS = 60_000

/**
 * A clock that processes which share a database agree on: PostgreSQL's, carried on by a stopwatch, so that a computer
 * whose clock jumps takes no lease of others for over. A clock that brings its own timers is taken as it is.
 */
export class SharedClock implements Required<Clock> {
  readonly #clock: Required<Clock>
  readonly #measured: boolean
  /** The offset of the clock of the database to the stopwatch, once measured. */
  #aheadMs: number | undefined

  constructor(storage: Pick<Storage, 'engine'>, clock: Clock) {
    this.#clock = { now: () => clock.now(), schedule: clock.schedule?.bind(clock) ?? systemClock.schedule }
    this.#measured = storage.engine === 'postgres' && (clock.schedule === undefined || clock === systemClock)
  }

  now(): number {
    return this.#aheadMs === undefined ? this.#clock.now() : Math.round(performance.now() + this.#aheadMs)
  }

  schedule(delayMs: number, run: () => void): () => void {
    return this.#clock.schedule(delayMs, run)
  }

  /**
   * Uses the time of the database from now on, for storages with a shared clock.
   *
   * @returns a function that ends it
   */
  async follow<Tables>(storage: Pick<Storage<Tables>, 'read'>): Promise<() => void> {
    if (!this.#measured) return () => {}
    await this.measure(storage)
    const timer = setInterval(() => void this.measure(storage).catch(() => {}), MEASURE_EVERY_MS)
    timer.unref()
    return () => clearInterval(timer)
  }

  /** Asks the database for its time. */
  async measure<Tables>(storage: Pick<Storage<Tables>, 'read'>): Promise<void> {
    if (!this.#measured) return
    const asked = performance.now()
    const { rows } = await sql<{
      now: number
    }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(storage.read)
    const time = rows[0]?.now
    if (time !== undefined) this.#aheadMs = time - (asked + performance.now()) / 2
  }
}
