import type { Migrations } from '@sibyl/plugin/storage'

/** What erasures need, under `0008-…`: marks of links that were emptied, and ways to those of a person. */
export const erasingMigrations: Migrations = {
  '0008-erasures': async (db, { json }) => {
    await db.schema.alterTable('entities_events').addColumn('erasure', json).execute()
    await db.schema.createIndex('entities_events_by').on('entities_events').column('by').execute()
    await db.schema.createIndex('entities_entities_controller').on('entities_entities').column('controller').execute()
  },
}
