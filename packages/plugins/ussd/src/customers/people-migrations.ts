import type { Migrations } from '@sibyl/plugin/storage'

/** The table by which the phone of a DID is found. */
export const peopleMigrations: Migrations = {
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
