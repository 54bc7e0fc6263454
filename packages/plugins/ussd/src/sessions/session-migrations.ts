import type { Migrations } from '@sibyl/plugin/storage'

/** The tables of this room. A move changes no column of an index, but where an action begins or ends, so that it writes one row alone. */
export const sessionMigrations: Migrations = {
  '0001-sessions': async (db, column) => {
    await db.schema
      .createTable('ussd_sessions')
      .addColumn('key', column.text, c => c.primaryKey())
      .addColumn('session_id', column.text, c => c.notNull())
      .addColumn('provider', column.text, c => c.notNull())
      .addColumn('service_code', column.text, c => c.notNull())
      .addColumn('phone', column.text, c => c.notNull())
      .addColumn('caller', column.text)
      .addColumn('status', column.text, c => c.notNull())
      .addColumn('version', column.integer, c => c.notNull())
      .addColumn('born_at', column.timestamp, c => c.notNull())
      .addColumn('updated_at', column.timestamp, c => c.notNull())
      .addColumn('expires_at', column.timestamp, c => c.notNull())
      .addColumn('run_until', column.timestamp)
      .addColumn('state', column.text, c => c.notNull())
      .execute()
    await db.schema.createIndex('ussd_sessions_id').on('ussd_sessions').column('session_id').execute()
    await db.schema.createIndex('ussd_sessions_born').on('ussd_sessions').column('born_at').execute()
    await db.schema
      .createIndex('ussd_sessions_caller')
      .on('ussd_sessions')
      .column('caller')
      .where('caller', 'is not', null)
      .execute()
    await db.schema
      .createIndex('ussd_sessions_running')
      .on('ussd_sessions')
      .column('run_until')
      .where('run_until', 'is not', null)
      .execute()
  },
}
