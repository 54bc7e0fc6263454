import { type Migrations, sql } from '@sibyl/plugin/storage'

/** The tables of this room, under `0003-…`. */
export const readingMigrations: Migrations = {
  '0003-listing': async (db, { engine, text, serial }) => {
    await db.schema.createIndex('entities_entities_updated').on('entities_entities').column('updated_at').execute()
    const listing = db.schema
      .createTable('entities_listing')
      .addColumn('position', serial)
      .addColumn('entity_id', text, column => column.notNull().unique())
    if (engine === 'postgres') {
      await listing.addColumn('terms', sql`bigint[]`, column => column.notNull()).execute()
      // A short list of rows that the index has not taken in yet: what takes them in holds up one writer for milliseconds.
      await sql`
        create index entities_listing_terms on entities_listing using gin (terms) with (gin_pending_list_limit = 256)
      `.execute(db)
      return
    }
    await listing.execute()
    await sql`
      create virtual table entities_terms using fts5 (
        terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
      )`.execute(db)
  },
}
