import type { Migrations } from '@sibyl/plugin/storage'

/** All tables of this plugin. */
export const mcpMigrations: Migrations = {
  '0001-tools': async (db, { text, timestamp, json, storedByKey }) => {
    await db.schema
      .createTable('mcp_tools')
      .addColumn('server', text, column => column.notNull())
      .addColumn('caller', text, column => column.notNull())
      .addColumn('tool', text, column => column.notNull())
      .addColumn('fingerprint', text, column => column.notNull())
      .addColumn('definition', json, column => column.notNull())
      .addColumn('first_seen_at', timestamp, column => column.notNull())
      .addColumn('seen_at', timestamp, column => column.notNull())
      .addColumn('changed_fingerprint', text)
      .addColumn('changed_definition', json)
      .addColumn('changed_at', timestamp)
      .addColumn('confirmed_at', timestamp)
      .addPrimaryKeyConstraint('mcp_tools_key', ['server', 'caller', 'tool'])
      .modifyEnd(storedByKey)
      .execute()
  },
}
