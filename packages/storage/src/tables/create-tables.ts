import type { Migration } from '../migrations/migrations.ts'
import { completeTable } from './complete-table.ts'
import type { Table } from './table.ts'

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
      for (const table of tables) await completeTable(table, db, types)
      await finish?.(db, types)
    },
    { tables },
  )
