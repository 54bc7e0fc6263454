import { type Migrations, sql } from '@sibyl/core/storage'

/** The tables of this room, under `0007-…`. */
export const searchMigrations: Migrations = {
  '0007-search': async (db, { engine, text, serial }) => {
    if (engine === 'postgres') {
      await db.schema
        .createTable('entities_search')
        .addColumn('entity_id', text, column => column.primaryKey())
        .addColumn('words', sql`tsvector`, column => column.notNull())
        .execute()
      await sql`create index entities_search_words on entities_search using gin (words)`.execute(db)
      return
    }
    await db.schema
      .createTable('entities_search_documents')
      .addColumn('document', serial)
      .addColumn('entity_id', text, column => column.notNull().unique())
      .execute()
    await sql`
      create virtual table entities_search using fts5 (
        names, words, content = '', contentless_delete = 1, detail = column, tokenize = "ascii tokenchars '/'"
      )`.execute(db)
  },
}
