import type { Migrations } from '@sibyl/storage'

/** The table of erasures. */
export interface PeopleTables {
  core_erasures: {
    /** The `erasedMark` of the person. */
    mark: string
    /** The UTC day of the latest erasures: `2026-11-23`. */
    day: string
    /** The number of erasures on that day by the person. */
    times: number
  }
}

/** The migrations of that table. */
export const peopleMigrations: Migrations = {
  '0009-erasures': async (db, { text, integer, storedByKey }) => {
    await db.schema
      .createTable('core_erasures')
      .addColumn('mark', text, column => column.primaryKey())
      .addColumn('day', text, column => column.notNull())
      .addColumn('times', integer, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
  },
}
