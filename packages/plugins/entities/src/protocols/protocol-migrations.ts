import type { Migrations } from '@sibyl/plugin/storage'

/** The tables of this room, under `0004-…`. */
export const protocolMigrations: Migrations = {
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
}
