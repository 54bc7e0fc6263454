import type { Storage } from '../contract/storage.ts'
import type { StorageLogger } from '../logging/logger.ts'
import { sql } from '../sql/kysely.ts'
import { type Clock, systemClock } from '../time/clock.ts'

/** Interval of reading the time of the database, in milliseconds: a stopwatch stops while a computer sleeps. */
const MEASURE_EVERY_MS = 60_000

/** The offset to the clock of the database that is logged, in milliseconds. */
const REPORTED_OFFSET_MS = 5_000

/** The longest time of a query whose result counts after the first one, in milliseconds. */
const LONGEST_QUERY_MS = 1_000

/**
 * A clock that processes which share a database agree on: PostgreSQL's, carried on by a stopwatch, so that a computer
 * whose clock jumps takes no lease of others for over. A clock that brings its own timers is taken as it is.
 */
export class SharedClock implements Required<Clock> {
  readonly #clock: Required<Clock>
  readonly #measured: boolean
  readonly #logger: StorageLogger
  /** The offset of the clock of the database to the stopwatch, once measured. */
  #aheadMs: number | undefined
  #offsetMs = 0
  #reportedMs = 0

  constructor(storage: Pick<Storage, 'engine'>, clock: Clock, logger: StorageLogger) {
    this.#logger = logger
    this.#clock = { now: () => clock.now(), schedule: clock.schedule?.bind(clock) ?? systemClock.schedule }
    this.#measured = storage.engine === 'postgres' && (clock.schedule === undefined || clock === systemClock)
  }

  /** The lead of the clock of this process over that of the database; 0 without a second clock. */
  get offsetMs(): number {
    return this.#offsetMs
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
  follow<Tables>(storage: Pick<Storage<Tables>, 'read'>): () => void {
    if (!this.#measured) return () => {}
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
    const answered = performance.now()
    if (time === undefined || (this.#aheadMs !== undefined && answered - asked > LONGEST_QUERY_MS)) return
    this.#aheadMs = time - (asked + answered) / 2
    this.#offsetMs = Math.round(this.#clock.now() - answered - this.#aheadMs)
    this.#report()
  }

  /** Logs an offset once, and again when it has changed as much. */
  #report(): void {
    const isNear = (ms: number) => Math.abs(this.#offsetMs - ms) <= REPORTED_OFFSET_MS
    if (isNear(this.#reportedMs)) return
    this.#reportedMs = isNear(0) ? 0 : this.#offsetMs
    const seconds = Math.round(this.#offsetMs / 1_000)
    if (this.#reportedMs === 0) this.#logger.info('the clock of this computer agrees with that of the database again')
    else this.#logger.warn('the clock of this computer differs from that of the database; synchronize it', { seconds })
  }
}
