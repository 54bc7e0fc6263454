import type { Host } from '@sibyl/plugin'
import { type Migrations, sql } from '@sibyl/plugin/storage'

/** The tables of this plugin. Times are milliseconds since 1970. */
export interface SandboxTables {
  sandbox_outputs: OutputRow
}

/** A text of a program that was too long for one response. */
export interface OutputRow {
  id: string
  /** DID of the user who ran the program. */
  owner: string
  /** DID whose limit it counts toward. */
  holder: string
  /** Network that the program came from, for limits by address. */
  origin: string | null
  /** Its kind: `result`, `output`, or the name of a file. */
  name: string
  text: string
  characters: number
  kept_at: number
}

export type SandboxTransaction = Parameters<Parameters<Host<unknown, SandboxTables>['storage']['write']>[0]>[0]

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
  '0002-holders': async (db, { text }) => {
    for (const name of ['holder', 'origin']) {
      await db.schema.alterTable('sandbox_outputs').addColumn(name, text).execute()
    }
    await sql`update sandbox_outputs set holder = owner`.execute(db)
    // Covers all counted columns, because the texts in the rows are long.
    await db.schema
      .createIndex('sandbox_outputs_holder')
      .on('sandbox_outputs')
      .columns(['holder', 'kept_at', 'id', 'characters'])
      .execute()
    await db.schema
      .createIndex('sandbox_outputs_size')
      .on('sandbox_outputs')
      .columns(['origin', 'characters'])
      .execute()
  },
}
