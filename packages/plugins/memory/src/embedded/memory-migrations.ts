import { type Migrations, sql } from '@sibyl/plugin/storage'

export const memoryMigrations: Migrations = {
  '0001-facts': async (db, { text, integer, timestamp, json, serial, storedByKey }) => {
    await db.schema
      .createTable('memory_people')
      .addColumn('person', serial)
      .addColumn('did', text, column => column.notNull().unique())
      .addColumn('facts', integer, column => column.notNull())
      .execute()
    await db.schema
      .createTable('memory_facts')
      .addColumn('fact', serial)
      .addColumn('person', integer, column => column.notNull())
      .addColumn('id', text, column => column.notNull())
      .addColumn('text', text, column => column.notNull())
      .addColumn('tags', json, column => column.notNull())
      .addColumn('importance', integer, column => column.notNull())
      .addColumn('created_at', timestamp, column => column.notNull())
      .addColumn('updated_at', timestamp, column => column.notNull())
      .addColumn('saying', text, column => column.notNull())
      .addColumn('words', text, column => column.notNull())
      .addUniqueConstraint('memory_facts_id', ['person', 'id'])
      .addUniqueConstraint('memory_facts_saying', ['person', 'saying'])
      .execute()
    await db.schema
      .createIndex('memory_facts_by_time')
      .on('memory_facts')
      .columns(['person', 'updated_at', 'fact'])
      .execute()
    await db.schema
      .createTable('memory_words')
      .addColumn('person', integer, column => column.notNull())
      .addColumn('root', text, column => column.notNull())
      .addColumn('fact', integer, column => column.notNull())
      .addPrimaryKeyConstraint('memory_words_key', ['person', 'root', 'fact'])
      .modifyEnd(storedByKey)
      .execute()
  },
  '0002-holders': async (db, { text }) => {
    await db.schema.alterTable('memory_people').addColumn('holder', text).execute()
    await sql`update memory_people set holder = did`.execute(db)
    await db.schema.createIndex('memory_people_holder').on('memory_people').column('holder').execute()
  },
}
