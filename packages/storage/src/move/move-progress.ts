import type { Transaction } from 'kysely'
import type { Storage } from '../contract/storage.ts'
import { storageErrors } from '../errors/storage-errors.ts'
import { unfinishedMove } from '../migrations/migrate.ts'
import { columnTypesFor } from '../sql/column-types.ts'
import { sql } from '../sql/kysely.ts'
import { defineTable } from '../tables/define-table.ts'
import type { TablesOf } from '../tables/table.ts'
import { column } from '../tables/table-column.ts'
import { tableNames } from './moved-table.ts'

export const progressTable = 'sibyl_move'

const progress = defineTable(progressTable, {
  /** A table; blank: the source, whose digest is in `last`. */
  name: column.text().primaryKey(),
  rows: column.integer(),
  /** Key of the last copied row. */
  last: column.text().nullable(),
  done: column.boolean(),
})

type Tables = TablesOf<[typeof progress]>

export interface TableProgress {
  readonly name: string
  readonly rows: number
  readonly last: string | undefined
  readonly done: boolean
}

/** The progress of a move, stored in its target until its end. */
export interface MoveStore {
  read(table: string): Promise<TableProgress | undefined>
  write(tx: Transaction<object>, table: TableProgress): Promise<void>
  /** Removes the progress; the database can be used. */
  end(): Promise<void>
}

/**
 * Begins a move, or continues one that was interrupted. From its first copied row until its end, an oracle cannot start on
 * the database.
 *
 * @param fill Creates the tables; may run again.
 * @throws `move_refused` if the target has tables, or a part of a move from another source
 */
export const openProgress = async (to: Storage, source: string, fill: () => Promise<void>): Promise<MoveStore> => {
  const present = await tableNames(to)
  const store = storeIn(to)
  if (!present.includes(progressTable)) {
    if (present.length > 0)
      throw storageErrors.move_refused({
        problem: `The target is not empty: it has tables, such as '${present[0]}'.`,
        remedy: 'Name an empty database, or a file that does not exist.',
      })
    await to.write(async tx => {
      await progress.create(tx as never, columnTypesFor(to.engine))
      await store.write(tx, { name: '', rows: 0, last: source, done: false })
    })
  }
  const begun = await store.read('')
  if (begun?.last !== source)
    throw storageErrors.move_refused({
      problem: 'The target has a part of a move from another database.',
      remedy: 'Continue that move with its DATABASE_URL, or name an empty database.',
    })
  if (begun.done) return store
  await fill()
  await to.write(async tx => {
    const { owner, name } = unfinishedMove
    await sql`insert into sibyl_migrations (owner, name, applied_at) values (${owner}, ${name}, 0)`.execute(tx)
    await store.write(tx, { ...begun, done: true })
  })
  return store
}

const storeIn = (to: Storage): MoveStore => ({
  async read(name) {
    const { read } = to.for<Tables>()
    const row = await read.selectFrom(progressTable).selectAll().where('name', '=', name).executeTakeFirst()
    return row && { ...row, last: row.last ?? undefined }
  },
  async write(tx, { last = null, ...values }) {
    await (tx as unknown as Transaction<Tables>)
      .insertInto(progressTable)
      .values({ ...values, last })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ ...values, last }))
      .execute()
  },
  async end() {
    await to.write(async tx => {
      const { owner, name } = unfinishedMove
      await sql`delete from sibyl_migrations where owner = ${owner} and name = ${name}`.execute(tx)
      await sql`drop table ${sql.table(progressTable)}`.execute(tx)
    })
  },
})
