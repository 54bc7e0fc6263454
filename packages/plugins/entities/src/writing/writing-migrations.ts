import type { Migrations } from '@sibyl/plugin/storage'

/** The tables of this room, under `0001-…`. */
export const writingMigrations: Migrations = {
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
}
