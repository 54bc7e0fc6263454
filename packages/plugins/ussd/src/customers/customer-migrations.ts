import type { Migrations } from '@sibyl/plugin/storage'

/** The tables of this room. */
export const customerMigrations: Migrations = {
  '0002-customers': async (db, { text, integer, timestamp, storedByKey }) => {
    await db.schema
      .createTable('ussd_customers')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('phone_hash', text, column => column.notNull())
      .addColumn('profile', text, column => column.notNull())
      .addColumn('pin', text, column => column.notNull())
      .addColumn('pin_until', timestamp)
      .addColumn('created_at', timestamp, column => column.notNull())
      .addColumn('key_id', text, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('ussd_customers_phone').on('ussd_customers').column('phone_hash').execute()
    await db.schema.createIndex('ussd_customers_key').on('ussd_customers').column('key_id').execute()
    await db.schema
      .createTable('ussd_phones')
      .addColumn('phone_hash', text, column => column.primaryKey())
      .addColumn('phone', text, column => column.notNull())
      .addColumn('language', text, column => column.notNull())
      .addColumn('updated_at', timestamp, column => column.notNull())
      .addColumn('key_id', text, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('ussd_phones_key').on('ussd_phones').column('key_id').execute()
    await db.schema
      .createTable('ussd_attempts')
      .addColumn('subject', text, column => column.primaryKey())
      .addColumn('who', text, column => column.notNull())
      .addColumn('attempts', integer, column => column.notNull())
      .addColumn('cleared', integer, column => column.notNull())
      .addColumn('last_at', timestamp, column => column.notNull())
      .addColumn('key_id', text, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('ussd_attempts_age').on('ussd_attempts').column('last_at').execute()
    await db.schema.createIndex('ussd_attempts_key').on('ussd_attempts').column('key_id').execute()
    await db.schema
      .createTable('ussd_reset_codes')
      .addColumn('subject', text, column => column.primaryKey())
      .addColumn('code', text, column => column.notNull())
      .addColumn('tries', integer, column => column.notNull())
      .addColumn('sent_at', timestamp, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('ussd_reset_codes_age').on('ussd_reset_codes').column('sent_at').execute()
    await db.schema
      .createTable('ussd_actions')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('kind', text, column => column.notNull())
      .addColumn('phone_hash', text)
      .addColumn('details', text, column => column.notNull())
      .addColumn('confirmation', text)
      .addColumn('tries', integer, column => column.notNull())
      .addColumn('requested_at', timestamp, column => column.notNull())
      .addColumn('done_at', timestamp)
      .addColumn('key_id', text, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('ussd_actions_phone').on('ussd_actions').column('phone_hash').execute()
    await db.schema.createIndex('ussd_actions_age').on('ussd_actions').columns(['requested_at', 'id']).execute()
    await db.schema.createIndex('ussd_actions_key').on('ussd_actions').column('key_id').execute()
  },
  '0004-attempts-of-parts': async (db, { text }) => {
    await db.schema.alterTable('ussd_attempts').addColumn('whole', text).execute()
    await db.schema.createIndex('ussd_attempts_whole').on('ussd_attempts').column('whole').execute()
  },
}
