import { type Migrations, sql } from '@sibyl/plugin/storage'

/** The tables of this room, under `0002-…` and `0008-…`. */
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
}
