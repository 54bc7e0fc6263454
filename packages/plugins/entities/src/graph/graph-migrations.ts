import type { Migrations } from '@sibyl/plugin/storage'

/** The tables of this room, under `0005-…`. */
export const graphMigrations: Migrations = {
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
}
