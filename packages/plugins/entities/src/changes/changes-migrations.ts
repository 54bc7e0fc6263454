import { type Migrations, sql } from '@sibyl/plugin/storage'

/** The tables of this room. */
export const changesMigrations: Migrations = {
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
}
