import type { Migrations } from '@sibyl/storage'

/** The table of the keys that the oracle has signed with. Times are milliseconds since 1970. */
export interface KeyHistoryTables {
  core_keys: {
    /** The did:key. */
    did: string
    /** When this database saw it first. */
    since: number
    /** When another took its place; null while it is in use. */
    until: number | null
  }
}

/** The table of the keys that the oracle has signed with. */
export const keyHistoryMigrations: Migrations = {
  '0005-keys': async (db, { text, timestamp, storedByKey }) => {
    await db.schema
      .createTable('core_keys')
      .addColumn('did', text, column => column.primaryKey())
      .addColumn('since', timestamp, column => column.notNull())
      .addColumn('until', timestamp)
      .modifyEnd(storedByKey)
      .execute()
  },
}
