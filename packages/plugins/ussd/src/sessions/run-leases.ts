import { sql } from '@sibyl/plugin/storage'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { among } from '../storage/value-lists.ts'
import { leaseMs, sharedNow } from './session-sql.ts'
import type { SessionTime } from './session-time.ts'

/** Leases of the actions of sessions: each process renews its own and takes over those that expired. */
export class RunLeases {
  readonly #storage: UssdStorage
  readonly #time: SessionTime

  constructor(storage: UssdStorage, time: SessionTime) {
    this.#storage = storage
    this.#time = time
  }

  /** Returns the keys of sessions whose action has an expired lease; `all` also of those with a valid one. */
  async left(all: boolean): Promise<readonly string[]> {
    const dead = all ? sql`` : sql`and run_until <= ${this.#now()}`
    const { rows } = await sql<{ key: string }>`
      select key from ussd_sessions where run_until is not null ${dead}`.execute(this.#storage.read)
    return rows.map(({ key }) => key)
  }

  /** Takes over the action of a session if its lease has expired; `live` also if it has not. */
  async claim(key: string, live: boolean): Promise<boolean> {
    const dead = live ? sql`` : sql`and run_until <= ${this.#now()}`
    return await this.#storage.write(
      async tx => {
        const { rows } = await sql`
          update ussd_sessions set run_until = ${this.#now()} + ${sql.lit(leaseMs)}
          where key = ${key} and run_until is not null ${dead}
          returning key`.execute(tx)
        return rows.length > 0
      },
      { isolation: 'read committed' },
    )
  }

  /** Renews the leases of the actions of these sessions. */
  async renew(keys: readonly string[]): Promise<void> {
    await this.#set(keys, sql`${this.#now()} + ${sql.lit(leaseMs)}`)
  }

  /** Leaves the actions of these sessions to another process. */
  async release(keys: readonly string[]): Promise<void> {
    await this.#set(keys, sql`0`)
  }

  async #set(keys: readonly string[], until: ReturnType<typeof sql>): Promise<void> {
    if (keys.length === 0) return
    await this.#storage.write(
      tx =>
        sql`update ussd_sessions set run_until = ${until}
          where run_until is not null and key in ${among(this.#storage.engine, keys)}`.execute(tx),
      { isolation: 'read committed' },
    )
  }

  #now() {
    return sharedNow(this.#storage.engine, this.#time.now())
  }
}
