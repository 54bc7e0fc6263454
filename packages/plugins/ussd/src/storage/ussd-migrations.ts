import type { Migrations } from '@sibyl/plugin/storage'

/**
 * Tables of the plugin. A move of a session changes no indexed column, except where an action begins or ends, so that it
 * writes only its row.
 */
export const ussdMigrations: Migrations = {
  '0001-sessions': async (db, column) => {
    await db.schema
      .createTable('ussd_sessions')
      .addColumn('key', column.text, c => c.primaryKey())
      .addColumn('session_id', column.text, c => c.notNull())
      .addColumn('provider', column.text, c => c.notNull())
      .addColumn('service_code', column.text, c => c.notNull())
      .addColumn('phone', column.text, c => c.notNull())
      .addColumn('caller', column.text)
      .addColumn('status', column.text, c => c.notNull())
      .addColumn('version', column.integer, c => c.notNull())
      .addColumn('born_at', column.timestamp, c => c.notNull())
      .addColumn('updated_at', column.timestamp, c => c.notNull())
      .addColumn('expires_at', column.timestamp, c => c.notNull())
      .addColumn('run_until', column.timestamp)
      .addColumn('state', column.text, c => c.notNull())
      .execute()
    await db.schema.createIndex('ussd_sessions_id').on('ussd_sessions').column('session_id').execute()
    await db.schema.createIndex('ussd_sessions_born').on('ussd_sessions').column('born_at').execute()
    await db.schema
      .createIndex('ussd_sessions_caller')
      .on('ussd_sessions')
      .column('caller')
      .where('caller', 'is not', null)
      .execute()
    await db.schema
      .createIndex('ussd_sessions_running')
      .on('ussd_sessions')
      .column('run_until')
      .where('run_until', 'is not', null)
      .execute()
  },
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
  '0003-questions': async (db, column) => {
    await db.schema
      .createTable('ussd_questions')
      .addColumn('id', column.text, it => it.primaryKey())
      .addColumn('phone_hash', column.text, it => it.notNull())
      .addColumn('owner_hash', column.text, it => it.notNull())
      .addColumn('question', column.text, it => it.notNull())
      .addColumn('answer', column.text)
      .addColumn('outcome', column.text)
      .addColumn('asked_at', column.timestamp, it => it.notNull())
      .addColumn('expires_at', column.timestamp, it => it.notNull())
      .execute()
    for (const indexed of ['phone_hash', 'owner_hash', 'expires_at']) {
      await db.schema.createIndex(`ussd_questions_${indexed}`).on('ussd_questions').column(indexed).execute()
    }
  },
  '0004-people': async (db, { text, storedByKey }) => {
    await db.schema
      .createTable('ussd_people')
      .addColumn('did', text, column => column.primaryKey())
      .addColumn('phone', text, column => column.notNull())
      .addColumn('key_id', text, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('ussd_people_key').on('ussd_people').column('key_id').execute()
  },
}
