import { randomBytes } from 'node:crypto'
import { type Migrations, sql } from '@sibyl/plugin/storage'

export const filesMigrations: Migrations = {
  '0001-files': async (db, { text, integer, timestamp, serial, storedByKey }) => {
    await db.schema
      .createTable('files_store')
      .addColumn('store', text, column => column.notNull())
      .execute()
    await db
      .insertInto('files_store')
      .values({ store: `store-${randomBytes(8).toString('hex')}` })
      .execute()
    await db.schema
      .createTable('files_people')
      .addColumn('person', serial)
      .addColumn('did', text, column => column.notNull().unique())
      .addColumn('folder', text, column => column.notNull().unique())
      .addColumn('bytes', integer, column => column.notNull())
      .addColumn('records', integer, column => column.notNull())
      .execute()
    await db.schema
      .createTable('files_blobs')
      .addColumn('person', integer, column => column.notNull())
      .addColumn('sha256', text, column => column.notNull())
      .addColumn('file', text, column => column.notNull())
      .addColumn('bytes', integer, column => column.notNull())
      .addColumn('refs', integer, column => column.notNull())
      .addPrimaryKeyConstraint('files_blobs_key', ['person', 'sha256'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema
      .createTable('files_entries')
      .addColumn('entry', serial)
      .addColumn('person', integer, column => column.notNull())
      .addColumn('key', text, column => column.notNull())
      .addColumn('path', text, column => column.notNull())
      .addColumn('sha256', text, column => column.notNull())
      .addColumn('bytes', integer, column => column.notNull())
      .addColumn('media_type', text, column => column.notNull())
      .addColumn('created_at', timestamp, column => column.notNull())
      .addColumn('updated_at', timestamp, column => column.notNull())
      .addUniqueConstraint('files_entries_key', ['person', 'key'])
      .execute()
    await db.schema
      .createIndex('files_entries_by_time')
      .on('files_entries')
      .columns(['person', 'updated_at', 'entry'])
      .execute()
    await db.schema
      .createTable('files_versions')
      .addColumn('version', serial)
      .addColumn('person', integer, column => column.notNull())
      .addColumn('key', text, column => column.notNull())
      .addColumn('path', text, column => column.notNull())
      .addColumn('sha256', text, column => column.notNull())
      .addColumn('bytes', integer, column => column.notNull())
      .addColumn('media_type', text, column => column.notNull())
      .addColumn('written_at', timestamp, column => column.notNull())
      .addColumn('ended_at', timestamp, column => column.notNull())
      .addColumn('end_reason', text, column => column.notNull())
      .execute()
    await db.schema
      .createIndex('files_versions_by_key')
      .on('files_versions')
      .columns(['person', 'key', 'version'])
      .execute()
    await db.schema.createIndex('files_versions_by_end').on('files_versions').column('ended_at').execute()
    await db.schema
      .createTable('files_words')
      .addColumn('person', integer, column => column.notNull())
      .addColumn('word', text, column => column.notNull())
      .addColumn('entry', integer, column => column.notNull())
      .addPrimaryKeyConstraint('files_words_key', ['person', 'word', 'entry'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('files_words_by_entry').on('files_words').column('entry').execute()
  },
  '0002-arrivals': async (db, { text, integer, timestamp }) => {
    await db.schema
      .createTable('files_arrivals')
      .addColumn('arrival', text, column => column.primaryKey())
      .addColumn('person', integer, column => column.notNull())
      .addColumn('bytes', integer, column => column.notNull())
      .addColumn('ends_at', timestamp, column => column.notNull())
      .execute()
    await db.schema.createIndex('files_arrivals_by_person').on('files_arrivals').column('person').execute()
  },
  '0003-holders': async (db, { text }) => {
    for (const name of ['holder', 'origin']) await db.schema.alterTable('files_people').addColumn(name, text).execute()
    await sql`update files_people set holder = did`.execute(db)
    await db.schema
      .createIndex('files_people_holder')
      .on('files_people')
      .columns(['holder', 'bytes', 'records'])
      .execute()
    await db.schema.createIndex('files_people_origin').on('files_people').columns(['origin', 'bytes']).execute()
  },
  '0003-folder-mark': async (db, { text }) => {
    await db.schema.alterTable('files_store').addColumn('mark', text).execute()
  },
}
