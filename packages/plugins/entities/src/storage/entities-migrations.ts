import { createTables } from '@sibyl/plugin'
import { type Migration, type Migrations, sql } from '@sibyl/plugin/storage'
import { entitiesTables, searchDocuments } from './entities-tables.ts'
import { fillPlaces } from './fill-places.ts'

const finishOnSqlite: Migration = async (db, types) => {
  await createTables([searchDocuments])(db, types)
  await sql`
    create virtual table if not exists entities_terms using fts5 (
      terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
    )`.execute(db)
  await sql`
    create virtual table if not exists entities_search using fts5 (
      names, words, content = '', contentless_delete = 1, detail = column, tokenize = "ascii tokenchars '/'"
    )`.execute(db)
}

const postgresStatements = [
  sql`alter table entities_events alter column transaction set default pg_current_xact_id()::text::bigint`,
  sql`create index if not exists entities_events_order on entities_events (transaction, sequence)`,
  sql`alter table entities_listing add column if not exists terms bigint[] not null`,
  // The index keeps a short list of pending rows, because merging them blocks one writer for milliseconds.
  sql`
    create index if not exists entities_listing_terms on entities_listing using gin (terms)
    with (gin_pending_list_limit = 256)`,
  sql`
    create table if not exists entities_search (entity_id text collate "C" primary key, words tsvector not null)`,
  sql`
    create index if not exists entities_search_words on entities_search using gin (words)
    with (gin_pending_list_limit = 1024)`,
  sql`
    create or replace function entities_search_find (sought tsquery, most integer) returns setof text
    language sql stable
    set enable_seqscan = off
    set enable_indexscan = off
    set gin_fuzzy_search_limit = 5000
    as 'select entity_id from entities_search where words @@ sought order by entity_id desc limit most'`,
]

export const entitiesMigrations: Migrations = {
  '0100-base': createTables(entitiesTables, async (db, types) => {
    if (types.engine === 'sqlite') await finishOnSqlite(db, types)
    else for (const statement of postgresStatements) await statement.execute(db)
    await sql`
      insert into entities_change_clock (name, past) values ('transactions', 0) on conflict do nothing`.execute(db)
    await fillPlaces(db)
  }),
  '0101-space': async (db, { text, integer }) => {
    await db.schema.createTable('entities_space').addColumn('name', text).addColumn('bytes', integer).execute()
  },
  '0102-counted-by-core': async db => {
    const { rows } = await sql<{ bytes: number | null }>`select max(bytes) as bytes from entities_space`.execute(db)
    const bytes = rows[0]?.bytes ?? 0
    if (bytes > 0) await sql`insert into core_stored_sums (name, bytes) values ('entities all:0', ${bytes})`.execute(db)
    await db.schema.dropTable('entities_space').execute()
  },
  /** A row that `sibyl storage move` copies has no terms yet. */
  '0103-terms-by-default': async (db, { engine }) => {
    if (engine === 'postgres') await sql`alter table entities_listing alter column terms set default '{}'`.execute(db)
  },
}
