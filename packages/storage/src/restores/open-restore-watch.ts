import { type Kysely, sql, type Transaction } from 'kysely'
import type { Storage } from '../contract/storage.ts'
import type { Migrations } from '../migrations/migrations.ts'
import { createTables } from '../tables/create-tables.ts'
import { defineTable } from '../tables/define-table.ts'
import type { TablesOf } from '../tables/table.ts'
import { column } from '../tables/table-column.ts'
import { type Clock, systemClock } from '../time/clock.ts'

/** Detects that a database was restored from a backup, moved to another server or failed over to a replica. */
export interface RestoreWatch {
  /** When the last restore was detected by any process, in milliseconds since 1970. */
  readonly restoredAt: number | undefined
  /**
   * Compares the database with its mark and advances the mark. Call it at start, about once a minute, and before the
   * storage is closed.
   *
   * @returns whether this call detected a restore
   */
  check(): Promise<boolean>
}

export interface RestoreWatchOptions {
  readonly storage: Pick<Storage, 'copyMark' | 'for' | 'migrate'>
  /** @default the computer's clock */
  readonly clock?: Clock
  /** Runs in the transaction that records a restore: what a restored database must not keep is deleted there. */
  readonly onRestored?: (tx: Transaction<object>) => Promise<void>
}

/** The stored mark of the copy of a database. */
const copies = defineTable('sibyl_copy', {
  /** `anchor` is never updated; `mark` names the copy; `restored_at` is in milliseconds since 1970. */
  name: column.text<'anchor' | 'mark' | 'restored_at'>().primaryKey(),
  value: column.text(),
})

type RestoreTables = TablesOf<[typeof copies]>

/** Creates the table, with the row whose version PostgreSQL's mark names. */
export const restoreMigrations: Migrations = {
  '0100-base': createTables([copies], async db => {
    await sql`insert into sibyl_copy (name, value) values ('anchor', '') on conflict do nothing`.execute(db)
  }),
}

/**
 * Opens the watch with its table. A database without a mark gets one, without a restore.
 *
 * A backup taken less than a minute before a crash, and a snapshot that also contains the file beside a SQLite database
 * or the whole server, cannot be distinguished from the original.
 *
 * @throws the errors of `storage.migrate` and `storage.write`
 */
export const openRestoreWatch = async (options: RestoreWatchOptions): Promise<RestoreWatch> => {
  await options.storage.migrate('sibyl/restores', restoreMigrations)
  return new OpenRestoreWatch(options)
}

class OpenRestoreWatch implements RestoreWatch {
  readonly #storage: Storage<RestoreTables>
  readonly #options: RestoreWatchOptions
  #checking: Promise<boolean> | undefined
  restoredAt: number | undefined

  constructor(options: RestoreWatchOptions) {
    this.#storage = options.storage.for<RestoreTables>()
    this.#options = options
  }

  check(): Promise<boolean> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #check(): Promise<boolean> {
    const { read, copyMark } = this.#storage
    const { mark, restored_at: restoredAt } = await valuesOf(read)
    this.restoredAt = restoredAt === undefined ? undefined : Number(restoredAt)
    if (mark === undefined) return this.#store(mark, undefined)
    if (await copyMark.matches(mark, read as unknown as Kysely<object>)) {
      return copyMark.isDue ? this.#store(mark, undefined) : false
    }
    return this.#store(mark, (this.#options.clock ?? systemClock).now())
  }

  /** Stores the next mark unless another process did; returns whether a restore was recorded. */
  async #store(expected: string | undefined, restoredAt: number | undefined): Promise<boolean> {
    const { copyMark } = this.#storage
    const stored = await this.#storage.write(async tx => {
      if ((await valuesOf(tx)).mark !== expected) return undefined
      const untyped = tx as unknown as Transaction<object>
      const next = await copyMark.next(expected, untyped)
      await put(tx, 'mark', next)
      if (restoredAt !== undefined) {
        await put(tx, 'restored_at', String(restoredAt))
        await this.#options.onRestored?.(untyped)
      }
      return next
    })
    if (stored === undefined) return false
    if (restoredAt !== undefined) this.restoredAt = restoredAt
    await copyMark.record(stored)
    return restoredAt !== undefined
  }
}

const valuesOf = async (
  db: Pick<Kysely<RestoreTables>, 'selectFrom'>,
): Promise<Partial<Record<RestoreTables['sibyl_copy']['name'], string>>> => {
  const rows = await db.selectFrom('sibyl_copy').selectAll().execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

const put = async (
  tx: Transaction<RestoreTables>,
  name: RestoreTables['sibyl_copy']['name'],
  value: string,
): Promise<void> => {
  await tx
    .insertInto('sibyl_copy')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
