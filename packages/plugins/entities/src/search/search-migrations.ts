import { type Migrations, sql } from '@sibyl/plugin/storage'

/**
 * The tables of this room, under `0007-…`. PostgreSQL's function finds by the index of words whatever the planner takes a
 * word to be, and looks at some thousand of the entities that have a word that very many have.
 */
export const searchMigrations: Migrations = {
  '0007-search': async (db, { engine, text, serial }) => {
    if (engine === 'postgres') {
      await db.schema
        .createTable('entities_search')
        .addColumn('entity_id', text, column => column.primaryKey())
        .addColumn('words', sql`tsvector`, column => column.notNull())
        .execute()
      await sql`
        create index entities_search_words on entities_search using gin (words)
        with (gin_pending_list_limit = 1024)`.execute(db)
      await sql`
        create function entities_search_find (sought tsquery, most integer) returns setof text
        language sql stable
        set enable_seqscan = off
        set enable_indexscan = off
        set gin_fuzzy_search_limit = 5000
        as 'select entity_id from entities_search where words @@ sought order by entity_id desc limit most'
      `.execute(db)
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
