import { type Migrations, sql } from '@sibyl/plugin/storage'

export const smsMigrations: Migrations = {
  '0001-messages': async (db, { text, integer, timestamp, boolean }) => {
    await db.schema
      .createTable('sms_messages')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('message_key', text, column => column.notNull().unique())
      .addColumn('purpose', text, column => column.notNull())
      .addColumn('phone', text, column => column.notNull())
      .addColumn('did', text, column => column.notNull())
      .addColumn('cause', text)
      .addColumn('text', text, column => column.notNull())
      .addColumn('sensitive', boolean, column => column.notNull())
      .addColumn('encoding', text, column => column.notNull())
      .addColumn('parts', integer, column => column.notNull())
      .addColumn('state', text, column => column.notNull())
      .addColumn('reason', text)
      .addColumn('provider_id', text, column => column.unique())
      .addColumn('attempts', integer, column => column.notNull())
      .addColumn('cost', text)
      .addColumn('held_until', timestamp)
      .addColumn('created_at', timestamp, column => column.notNull())
      .addColumn('sent_at', timestamp)
      .addColumn('settled_at', timestamp)
      .execute()
    for (const [name, columns] of [
      ['sms_messages_by_time', ['created_at', 'id']],
      ['sms_messages_by_did', ['did', 'created_at']],
      ['sms_messages_by_cause', ['cause', 'created_at']],
      ['sms_messages_by_phone', ['phone', 'state']],
    ] as const)
      await db.schema
        .createIndex(name)
        .on('sms_messages')
        .columns([...columns])
        .execute()
    await db.schema
      .createTable('sms_inbound')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('provider', text, column => column.notNull())
      .addColumn('provider_id', text, column => column.notNull())
      .addColumn('phone', text, column => column.notNull())
      .addColumn('did', text, column => column.notNull())
      .addColumn('text', text, column => column.notNull())
      .addColumn('state', text, column => column.notNull())
      .addColumn('received_at', timestamp, column => column.notNull())
      .addUniqueConstraint('sms_inbound_of_provider', ['provider', 'provider_id'])
      .execute()
    await db.schema.createIndex('sms_inbound_by_did').on('sms_inbound').columns(['did', 'received_at']).execute()
    await db.schema.createIndex('sms_inbound_by_time').on('sms_inbound').column('received_at').execute()
    await db.schema
      .createTable('sms_phones')
      .addColumn('did', text, column => column.primaryKey())
      .addColumn('phone', text, column => column.notNull())
      .addColumn('seen_at', timestamp, column => column.notNull())
      .execute()
    await db.schema
      .createTable('sms_opt_outs')
      .addColumn('phone_hash', text, column => column.primaryKey())
      .addColumn('since', timestamp, column => column.notNull())
      .execute()
    await db.schema
      .createTable('sms_early_reports')
      .addColumn('provider_id', text, column => column.primaryKey())
      .addColumn('phone', text, column => column.notNull())
      .addColumn('status', text, column => column.notNull())
      .addColumn('reason', text)
      .addColumn('cost', text)
      .addColumn('at', timestamp, column => column.notNull())
      .execute()
    await db.schema.createIndex('sms_early_reports_by_phone').on('sms_early_reports').column('phone').execute()
  },
  '0002-messages-by-state': async db => {
    await db.schema
      .createIndex('sms_messages_by_state')
      .on('sms_messages')
      .columns(['state', 'created_at', 'id'])
      .execute()
  },
  '0003-sealed-numbers': async (db, { text }) => {
    await db.schema
      .alterTable('sms_messages')
      .addColumn('phone_hash', text, column => column.notNull().defaultTo(''))
      .execute()
    await db.schema
      .createIndex('sms_messages_by_phone_hash')
      .on('sms_messages')
      .columns(['phone_hash', 'state'])
      .execute()
    await db.schema
      .alterTable('sms_early_reports')
      .addColumn('phone_hash', text, column => column.notNull().defaultTo(''))
      .execute()
    await db.schema
      .createIndex('sms_early_reports_by_phone_hash')
      .on('sms_early_reports')
      .column('phone_hash')
      .execute()
  },
  '0004-links': async (db, { text, integer, timestamp }) => {
    await db.schema
      .createTable('sms_links')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('did', text, column => column.notNull())
      .addColumn('phone', text, column => column.notNull())
      .addColumn('phone_hash', text, column => column.notNull())
      .addColumn('code', text)
      .addColumn('code_sent_at', timestamp)
      .addColumn('tries', integer, column => column.notNull())
      .addColumn('linked_at', timestamp)
      .addColumn('used_at', timestamp, column => column.notNull())
      .execute()
    await db.schema.createIndex('sms_links_of').unique().on('sms_links').columns(['did', 'phone_hash']).execute()
    await db.schema.createIndex('sms_links_by_use').on('sms_links').column('used_at').execute()
  },
  '0005-holders': async (db, { text }) => {
    for (const name of ['holder', 'origin']) await db.schema.alterTable('sms_messages').addColumn(name, text).execute()
    await sql`update sms_messages set holder = cause`.execute(db)
    await db.schema.createIndex('sms_messages_by_holder').on('sms_messages').columns(['holder', 'created_at']).execute()
  },
  '0006-links-by-phone': async db => {
    await db.schema.createIndex('sms_links_by_phone').on('sms_links').column('phone_hash').execute()
  },
}
