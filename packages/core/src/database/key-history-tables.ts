import type { Migrations } from '@sibyl/storage'

/** The table of the signing keys of the oracle. Times are milliseconds since 1970. */
export interface KeyHistoryTables {
  core_keys: {
    /** The did:key. */
    did: string
    /** When this database recorded it first. */
    since: number
    /** When another one replaced it; null while it is in use. */
    until: number | null
  }
}

/** The migrations of the table of signing keys. */
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
