import type { Migrations } from '@sibyl/plugin/storage'

/** The tables of this room. */
export const questionMigrations: Migrations = {
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
}
