import type { Migrations } from '@sibyl/core/storage'

/** The tables of this plugin. Times are milliseconds since 1970. */
export interface SandboxTables {
  sandbox_outputs: OutputRow
}

/** A text of a program that was too long to be shown at once. */
export interface OutputRow {
  id: string
  /** The DID of who had the program run. */
  owner: string
  /** What it is: `result`, `output`, or the name of a file. */
  name: string
  text: string
  characters: number
  kept_at: number
}

/** Makes them. */
export const sandboxMigrations: Migrations = {
  '0001-outputs': async (db, { text, integer, timestamp }) => {
    await db.schema
      .createTable('sandbox_outputs')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('owner', text, column => column.notNull())
      .addColumn('name', text, column => column.notNull())
      .addColumn('text', text, column => column.notNull())
      .addColumn('characters', integer, column => column.notNull())
      .addColumn('kept_at', timestamp, column => column.notNull())
      .execute()
    await db.schema.createIndex('sandbox_outputs_owner').on('sandbox_outputs').columns(['owner', 'kept_at']).execute()
    await db.schema.createIndex('sandbox_outputs_kept_at').on('sandbox_outputs').column('kept_at').execute()
  },
}
