import { sql } from '@sibyl/plugin/storage'
import { matrixErrors } from '../client/matrix-errors.ts'

import type { MatrixHost, MatrixTransaction } from './matrix-tables.ts'

/** Lifetime of a lease, and interval of its renewals, in milliseconds. */
const leaseMs = 15_000
export const renewEveryMs = 5_000

/**
 * The lease of the process that reads Matrix, among all that share the database. On SQLite there is only one process,
 * which takes over the lease of its predecessor.
 */
export class Lease {
  readonly #host: Pick<MatrixHost, 'storage' | 'clock'>
  readonly #holder: string = crypto.randomUUID()

  constructor(host: Pick<MatrixHost, 'storage' | 'clock'>) {
    this.#host = host
  }

  /** Takes an expired lease, or renews its own. Returns false if another process has it. */
  async take(): Promise<boolean> {
    const { storage } = this.#host
    const free = storage.engine === 'sqlite' ? sql`1 = 1` : sql`matrix_lease.held_until <= ${this.#now()}`
    return storage.write(
      async tx => {
        const { rows } = await sql`
          insert into matrix_lease (name, holder, held_until)
          values ('bot', ${this.#holder}, ${this.#now()} + ${sql.lit(leaseMs)})
          on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
          where matrix_lease.holder = excluded.holder or ${free}
          returning name`.execute(tx)
        return rows.length > 0
      },
      { isolation: 'read committed' },
    )
  }

  /** Checks, in a transaction, that this process still has the lease. @throws `matrix_lease_lost` */
  async hold(tx: MatrixTransaction): Promise<void> {
    const { rows } = await sql`
      update matrix_lease set held_until = ${this.#now()} + ${sql.lit(leaseMs)}
      where name = 'bot' and holder = ${this.#holder} returning name`.execute(tx)
    if (rows.length === 0) throw matrixErrors.matrix_lease_lost()
  }

  /** Releases the lease, so that another process takes over at once. */
  async release(): Promise<void> {
    await this.#host.storage.write(tx =>
      sql`update matrix_lease set held_until = 0 where name = 'bot' and holder = ${this.#holder}`.execute(tx),
    )
  }

  #now() {
    return this.#host.storage.engine === 'postgres'
      ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
      : sql<number>`cast(${this.#host.clock.now()} as integer)`
  }
}
