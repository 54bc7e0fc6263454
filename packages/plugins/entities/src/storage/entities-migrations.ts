import { type Migrations, sql } from '@sibyl/plugin/storage'
import { placeOf } from '../places/place-of.ts'
import type { ReadEntityRow } from './entity-rows.ts'

/** Migrations of this plugin. A migration that was applied never changes. */
export const entitiesMigrations: Migrations = {
  '0001-entities': async (db, { text, integer, timestamp, json, storedByKey }) => {
    await db.schema
      .createTable('entities_entities')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('did', text, column => column.notNull())
      .addColumn('type', text, column => column.notNull())
      .addColumn('domain_class', text, column => column.notNull())
      .addColumn('controller', text, column => column.notNull())
      .addColumn('status', text, column => column.notNull())
      .addColumn('protocol', text)
      .addColumn('protocol_version', integer)
      .addColumn('details', json, column => column.notNull())
      .addColumn('version', integer, column => column.notNull())
      .addColumn('created_at', timestamp, column => column.notNull())
      .addColumn('updated_at', timestamp, column => column.notNull())
      .addColumn('hash', text, column => column.notNull())
      .execute()
    await db.schema
      .createTable('entities_replies')
      .addColumn('key', text, column => column.primaryKey())
      .addColumn('request_hash', text, column => column.notNull())
      .addColumn('entity_id', text, column => column.notNull())
      .addColumn('reply', text, column => column.notNull())
      .addColumn('created_at', timestamp, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('entities_replies_age').on('entities_replies').column('created_at').execute()
  },
  '0002-events': async (db, { text, integer, timestamp, json, serial }) => {
    await db.schema
      .createTable('entities_events')
      .addColumn('sequence', serial)
      .addColumn('entity_id', text, column => column.notNull())
      .addColumn('version', integer, column => column.notNull())
      .addColumn('kind', text, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .addColumn('by', text, column => column.notNull())
      .addColumn('change', json, column => column.notNull())
      .addColumn('previous_hash', text, column => column.notNull())
      .addColumn('hash', text, column => column.notNull())
      .addColumn('signature', text, column => column.notNull())
      .addColumn('signer', text, column => column.notNull())
      .execute()
    await db.schema
      .createIndex('entities_events_chain')
      .unique()
      .on('entities_events')
      .columns(['entity_id', 'version'])
      .execute()
  },
  '0008-past-states': async (db, { engine, text, integer, storedByKey }) => {
    await db.schema
      .createTable('entities_snapshots')
      .addColumn('entity_id', text, column => column.notNull())
      .addColumn('version', integer, column => column.notNull())
      .addColumn('state', text, column => column.notNull())
      .addColumn('signature', text, column => column.notNull())
      .addColumn('signer', text, column => column.notNull())
      .addPrimaryKeyConstraint('entities_snapshots_key', ['entity_id', 'version'])
      .execute()
    await db.schema
      .createTable('entities_document_changes')
      .addColumn('entity_id', text, column => column.notNull())
      .addColumn('member', text, column => column.notNull())
      .addColumn('version', integer, column => column.notNull())
      .addPrimaryKeyConstraint('entities_document_changes_key', ['entity_id', 'member', 'version'])
      .modifyEnd(storedByKey)
      .execute()
    const isChanged =
      engine === 'sqlite'
        ? sql`json_type(event.change, '$.' || member.name) is not null`
        : sql`event.change -> member.name is not null`
    await sql`
      insert into entities_document_changes (entity_id, member, version)
      select event.entity_id, member.name, event.version
      from entities_events as event
      cross join (select 'controller' as name union all select 'services' union all select 'alsoKnownAs') as member
      where event.kind = 'updated' and ${isChanged}
    `.execute(db)
    await sql`
      insert into entities_document_changes (entity_id, member, version)
      select entity_id, 'status', version from entities_events where kind = 'deactivated'
    `.execute(db)
  },
  '0003-listing': async (db, { engine, text, serial }) => {
    await db.schema.createIndex('entities_entities_updated').on('entities_entities').column('updated_at').execute()
    const listing = db.schema
      .createTable('entities_listing')
      .addColumn('position', serial)
      .addColumn('entity_id', text, column => column.notNull().unique())
    if (engine === 'postgres') {
      await listing.addColumn('terms', sql`bigint[]`, column => column.notNull()).execute()
      // The index keeps a short list of pending rows, because merging them blocks one writer for milliseconds.
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
  '0004-protocols': async (db, { text, integer, timestamp, json, storedByKey }) => {
    await db.schema
      .createTable('entities_protocols')
      .addColumn('id', text, column => column.notNull())
      .addColumn('version', integer, column => column.notNull())
      .addColumn('did', text, column => column.notNull())
      .addColumn('definition', json, column => column.notNull())
      .addColumn('created_at', timestamp, column => column.notNull())
      .addPrimaryKeyConstraint('entities_protocols_key', ['id', 'version'])
      .modifyEnd(storedByKey)
      .execute()
  },
  '0005-edges': async (db, { text, timestamp, storedByKey }) => {
    await db.schema
      .createTable('entities_edges')
      .addColumn('from_node', text, column => column.notNull())
      .addColumn('relationship', text, column => column.notNull())
      .addColumn('to_node', text, column => column.notNull())
      .addColumn('created_at', timestamp, column => column.notNull())
      .addPrimaryKeyConstraint('entities_edges_key', ['from_node', 'relationship', 'to_node'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema
      .createIndex('entities_edges_back')
      .on('entities_edges')
      .columns(['to_node', 'relationship', 'from_node'])
      .execute()
  },
  '0006-changes': async (db, { engine, text, integer, timestamp, json, storedByKey }) => {
    await db.schema
      .alterTable('entities_events')
      .addColumn('transaction', integer, column => column.notNull().defaultTo(0))
      .execute()
    if (engine === 'postgres') {
      await sql`alter table entities_events alter column transaction set default pg_current_xact_id()::text::bigint`.execute(
        db,
      )
      await db.schema
        .createIndex('entities_events_order')
        .on('entities_events')
        .columns(['transaction', 'sequence'])
        .execute()
    }
    await db.schema
      .createTable('entities_change_clock')
      .addColumn('name', text, column => column.primaryKey())
      .addColumn('past', integer, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.insertInto('entities_change_clock').values({ name: 'transactions', past: 0 }).execute()
    await db.schema
      .createTable('entities_webhooks')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('owner', text, column => column.notNull())
      .addColumn('url', text, column => column.notNull())
      .addColumn('filters', json, column => column.notNull())
      .addColumn('signer', text, column => column.notNull())
      .addColumn('state', text, column => column.notNull())
      .addColumn('transaction', integer, column => column.notNull())
      .addColumn('sequence', integer, column => column.notNull())
      .addColumn('run', integer, column => column.notNull())
      .addColumn('failures', integer, column => column.notNull())
      .addColumn('failing_since', timestamp)
      .addColumn('next_try_at', timestamp)
      .addColumn('last_failure', text)
      .addColumn('delivered_at', timestamp)
      .addColumn('created_at', timestamp, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('entities_webhooks_owner').on('entities_webhooks').column('owner').execute()
  },
  '0009-webhook-holders': async (db, { text }) => {
    for (const name of ['holder', 'origin']) {
      await db.schema.alterTable('entities_webhooks').addColumn(name, text).execute()
    }
  },
  '0010-webhook-makers': async (db, { json }) => {
    await db.schema.alterTable('entities_webhooks').addColumn('maker', json).execute()
  },
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
  '0008-erasures': async (db, { json }) => {
    await db.schema.alterTable('entities_events').addColumn('erasure', json).execute()
    await db.schema.createIndex('entities_events_by').on('entities_events').column('by').execute()
    await db.schema.createIndex('entities_entities_controller').on('entities_entities').column('controller').execute()
  },
  '0011-places': async (db, { text, real, integer, storedByKey }) => {
    await db.schema
      .createTable('entities_places')
      .addColumn('entity_id', text, column => column.primaryKey())
      .addColumn('type', text, column => column.notNull())
      .addColumn('name', text)
      .addColumn('latitude', real, column => column.notNull())
      .addColumn('longitude', real, column => column.notNull())
      .addColumn('cell', integer, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    for (let after = ''; ; ) {
      const found = await db
        .selectFrom('entities_entities')
        .select(['id', 'type', 'status', 'details'])
        .where('id', '>', after)
        .where('status', '=', 'active')
        .orderBy('id')
        .limit(64)
        .execute()
      const rows = found as unknown as Pick<ReadEntityRow, 'id' | 'type' | 'status' | 'details'>[]
      const places = rows.flatMap(
        ({ details: { properties, alsoKnownAs = [] }, ...row }) => placeOf({ ...row, properties, alsoKnownAs }) ?? [],
      )
      if (places.length > 0)
        await db
          .insertInto('entities_places')
          .values(places.map(place => ({ ...place })))
          .execute()
      const last = rows.at(-1)
      if (!last) break
      after = last.id
    }
    await db.schema.createIndex('entities_places_cell').on('entities_places').column('cell').execute()
    await db.schema.createIndex('entities_places_type').on('entities_places').columns(['type', 'cell']).execute()
  },
}
