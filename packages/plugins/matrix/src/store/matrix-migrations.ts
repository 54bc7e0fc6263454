import type { Migrations } from '@sibyl/plugin/storage'

export const matrixMigrations: Migrations = {
  '0001-rooms': async (db, { text, integer, timestamp, boolean, json, serial }) => {
    await db.schema
      .createTable('matrix_lease')
      .addColumn('name', text, column => column.primaryKey())
      .addColumn('holder', text, column => column.notNull())
      .addColumn('held_until', timestamp, column => column.notNull())
      .execute()
    await db.schema
      .createTable('matrix_accounts')
      .addColumn('user_id', text, column => column.primaryKey())
      .addColumn('next_batch', text, column => column.notNull())
      .execute()
    await db.schema
      .createTable('matrix_rooms')
      .addColumn('room_id', text, column => column.primaryKey())
      .addColumn('stands', text, column => column.notNull())
      .addColumn('name', text)
      .addColumn('alias', text)
      .addColumn('is_direct', boolean, column => column.notNull())
      .addColumn('is_encrypted', boolean, column => column.notNull())
      .addColumn('told_encrypted', boolean, column => column.notNull())
      .addColumn('touched_at', timestamp, column => column.notNull())
      .execute()
    await db.schema
      .createTable('matrix_members')
      .addColumn('room_id', text, column => column.notNull())
      .addColumn('user_id', text, column => column.notNull())
      .addColumn('stands', text, column => column.notNull())
      .addColumn('name', text)
      .addPrimaryKeyConstraint('matrix_members_key', ['room_id', 'user_id'])
      .execute()
    await db.schema.createIndex('matrix_members_by_user').on('matrix_members').column('user_id').execute()
    await db.schema
      .createTable('matrix_inbox')
      .addColumn('place', serial)
      .addColumn('event_id', text, column => column.notNull().unique())
      .addColumn('room_id', text, column => column.notNull())
      .addColumn('sender', text, column => column.notNull())
      .addColumn('thread', text)
      .addColumn('body', text, column => column.notNull())
      .addColumn('state', text, column => column.notNull())
      .addColumn('tries', integer, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .execute()
    await db.schema.createIndex('matrix_inbox_by_state').on('matrix_inbox').columns(['state', 'place']).execute()
    await db.schema
      .createTable('matrix_sent')
      .addColumn('event_id', text, column => column.primaryKey())
      .addColumn('room_id', text, column => column.notNull())
      .addColumn('thread', text)
      .addColumn('at', timestamp, column => column.notNull())
      .execute()
    await db.schema.createIndex('matrix_sent_by_thread').on('matrix_sent').columns(['room_id', 'thread']).execute()
    await db.schema
      .createTable('matrix_people')
      .addColumn('did', text, column => column.primaryKey())
      .addColumn('user_id', text, column => column.notNull())
      .addColumn('since', timestamp, column => column.notNull())
      .execute()
    await db.schema
      .createTable('matrix_questions')
      .addColumn('place', serial)
      .addColumn('approval_id', text, column => column.notNull().unique())
      .addColumn('event_id', text, column => column.notNull())
      .addColumn('room_id', text, column => column.notNull())
      .addColumn('user_id', text, column => column.notNull())
      .addColumn('thread', text)
      .addColumn('text', text, column => column.notNull())
      .addColumn('field', json, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .execute()
    await db.schema
      .createIndex('matrix_questions_by_person')
      .on('matrix_questions')
      .columns(['room_id', 'user_id', 'place'])
      .execute()
    await db.schema
      .createTable('matrix_room_messages')
      .addColumn('place', serial)
      .addColumn('event_id', text, column => column.notNull().unique())
      .addColumn('room_id', text, column => column.notNull())
      .addColumn('sender', text, column => column.notNull())
      .addColumn('name', text, column => column.notNull())
      .addColumn('text', text, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .execute()
    await db.schema
      .createIndex('matrix_room_messages_by_room')
      .on('matrix_room_messages')
      .columns(['room_id', 'place'])
      .execute()
    await db.schema
      .createTable('matrix_room_summaries')
      .addColumn('room_id', text, column => column.primaryKey())
      .addColumn('text', text, column => column.notNull())
      .addColumn('covers', json, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .execute()
    await db.schema
      .createTable('matrix_outbox')
      .addColumn('place', serial)
      .addColumn('id', text, column => column.notNull().unique())
      .addColumn('room_id', text, column => column.notNull())
      .addColumn('text', text, column => column.notNull())
      .addColumn('did', text, column => column.notNull())
      .addColumn('state', text, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .execute()
    await db.schema.createIndex('matrix_outbox_by_state').on('matrix_outbox').columns(['state', 'place']).execute()
    await db.schema
      .createTable('matrix_conversations')
      .addColumn('session', text, column => column.primaryKey())
      .addColumn('room_id', text, column => column.notNull())
      .addColumn('thread', text)
      .execute()
  },
  '0002-parts-of-answers': async (db, { integer }) => {
    await db.schema
      .alterTable('matrix_inbox')
      .addColumn('parts', integer, column => column.notNull().defaultTo(0))
      .execute()
  },
  '0003-answers-left-for-later': async (db, { timestamp }) => {
    await db.schema
      .alterTable('matrix_inbox')
      .addColumn('retry_at', timestamp, column => column.notNull().defaultTo(0))
      .execute()
  },
  '0004-files-in-messages': async (db, { text }) => {
    await db.schema
      .alterTable('matrix_inbox')
      .addColumn('media', text, column => column.notNull().defaultTo(''))
      .execute()
  },
  '0005-encrypted-rooms': async (db, { text, timestamp, boolean, bytes, serial }) => {
    await db.schema
      .createTable('matrix_devices')
      .addColumn('user_id', text, column => column.primaryKey())
      .addColumn('device_id', text, column => column.notNull())
      .addColumn('key_id', text, column => column.notNull())
      .addColumn('restored_at', timestamp, column => column.notNull())
      .addColumn('is_published', boolean, column => column.notNull())
      .execute()
    await db.schema
      .createTable('matrix_crypto')
      .addColumn('place', text, column => column.primaryKey())
      .addColumn('value', bytes, column => column.notNull())
      .execute()
    await db.schema
      .createTable('matrix_sealed')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('room_id', text, column => column.notNull())
      .addColumn('content', text, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .execute()
    await db.schema.createIndex('matrix_sealed_by_room').on('matrix_sealed').column('room_id').execute()
    await db.schema
      .createTable('matrix_undecrypted')
      .addColumn('place', serial)
      .addColumn('event_id', text, column => column.notNull().unique())
      .addColumn('room_id', text, column => column.notNull())
      .addColumn('sender', text, column => column.notNull())
      .addColumn('content', text, column => column.notNull())
      .addColumn('sent_at', timestamp, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .execute()
    await db.schema.createIndex('matrix_undecrypted_by_room').on('matrix_undecrypted').column('room_id').execute()
  },
}
