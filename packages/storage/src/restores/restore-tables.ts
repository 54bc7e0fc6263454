import { sql } from 'kysely'
import type { Migrations } from '../migrations/migrations.ts'

/** What is stored about the copy of a database. */
export interface RestoreTables {
  sibyl_copy: {
    /** `anchor` is never updated; `mark` names the copy; `restored_at` is in milliseconds since 1970. */
    name: 'anchor' | 'mark' | 'restored_at'
    value: string
  }
}

/** Creates the table, with the row whose version PostgreSQL's mark names. */
export const restoreMigrations: Migrations = {
  '001_copy': async (db, column) => {
    await db.schema
      .createTable('sibyl_copy')
      .addColumn('name', column.text, c => c.primaryKey())
      .addColumn('value', column.text, c => c.notNull())
      .execute()
    await sql`insert into sibyl_copy (name, value) values ('anchor', '')`.execute(db)
  },
}
