import type { Migration } from '../migrations/migrations.ts'
import { columnName } from './camel-case-storage.ts'
import { findTables, readColumns, storedTypes } from './stored-column.ts'
import type { Table } from './table.ts'
import { addColumn, createIndexes, createTable, runStatements } from './table-statements.ts'

/**
 * Returns the first migration of an owner, which creates its tables; tables that an earlier version created are completed.
 *
 * @param finish Creates what a definition does not describe, such as triggers. It also runs for a database of an earlier
 * version, so its statements do nothing where that exists.
 * @example export const migrations: Migrations = { '0100-base': createTables([tides, visits]) }
 */
export const createTables = (
  tables: readonly Table[],
  finish?: Migration,
): Migration & { readonly tables: readonly Table[] } =>
  Object.assign<Migration, { readonly tables: readonly Table[] }>(
    async (db, types) => {
      const found = await findTables(types.engine, db, tables)
      const made = tables.filter(({ name }) => !found.has(name))
      await runStatements(
        made.flatMap(table => createTable(table, db, types)),
        db,
        types,
      )
      for (const table of tables) if (found.has(table.name)) await completeTable(table, db, types)
      await finish?.(db, types)
    },
    { tables },
  )

/**
 * Completes a table of a version between 2026-11-24 and 2026-11-29: adds missing columns and indexes, and on
 * PostgreSQL changes columns of core that had other types. Delete it with the first release; then no such database is left,
 * and `createTables` only creates.
 *
 * @throws Error if the table is older, so that rows lack a value
 */
const completeTable = async (table: Table, ...[db, types]: Parameters<Migration>): Promise<void> => {
  const stored = await readColumns(types.engine, db, table.name)
  for (const [key, { type, settings }] of Object.entries(table.columns)) {
    const name = columnName(key)
    const found = stored.find(one => one.name === name)
    if (settings.addedIn !== undefined) continue
    if (found) {
      if (types.engine === 'sqlite' || found.type === storedTypes.postgres[type]) continue
      await db.schema
        .alterTable(table.name)
        .alterColumn(name, one => one.setDataType(types[type]))
        .execute()
    } else if (settings.isFilled || !(settings.isNullable || settings.default !== undefined)) {
      throw new Error(
        `the table ${table.name} has no column ${name}, so it is of a version before 2026-11-24. Start a version of that day first.`,
      )
    } else await addColumn(table, key, db, types)
  }
  for (const index of createIndexes(table, db, { unlessExist: true })) await index.execute()
}
