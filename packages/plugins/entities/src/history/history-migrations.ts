import type { Migrations } from '@sibyl/core/storage'

/** The tables of this room, under `0002-…`. */
export const historyMigrations: Migrations = {
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
}
