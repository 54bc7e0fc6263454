import type { Migrations } from '@sibyl/plugin/storage'

export const credentialsMigrations: Migrations = {
  '0001-credentials': async (db, { text, integer, timestamp, json, storedByKey }) => {
    await db.schema
      .createTable('credentials_credentials')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('key', text, column => column.notNull().unique())
      .addColumn('request_hash', text, column => column.notNull())
      .addColumn('type', text, column => column.notNull())
      .addColumn('subject', text, column => column.notNull())
      .addColumn('status', text, column => column.notNull())
      .addColumn('document', json, column => column.notNull())
      .addColumn('issued_by', text, column => column.notNull())
      .addColumn('issued_at', timestamp, column => column.notNull())
      .addColumn('list', text, column => column.notNull())
      .addColumn('place', integer, column => column.notNull())
      .execute()
    for (const columns of [
      ['subject', 'id'],
      ['type', 'id'],
      ['status', 'id'],
    ]) {
      await db.schema
        .createIndex(`credentials_credentials_${columns[0]}`)
        .on('credentials_credentials')
        .columns(columns)
        .execute()
    }
    await db.schema
      .createTable('credentials_changes')
      .addColumn('credential_id', text, column => column.notNull())
      .addColumn('number', integer, column => column.notNull())
      .addColumn('kind', text, column => column.notNull())
      .addColumn('by', text, column => column.notNull())
      .addColumn('reason', text, column => column.notNull())
      .addColumn('at', timestamp, column => column.notNull())
      .addPrimaryKeyConstraint('credentials_changes_key', ['credential_id', 'number'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema
      .createTable('credentials_lists')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('allotted', integer, column => column.notNull())
      .addColumn('created_at', timestamp, column => column.notNull())
      .addColumn('revocation_version', integer, column => column.notNull())
      .addColumn('suspension_version', integer, column => column.notNull())
      .execute()
    await db.schema
      .createTable('credentials_entries')
      .addColumn('list', text, column => column.notNull())
      .addColumn('place', integer, column => column.notNull())
      .addColumn('reservation', text, column => column.notNull())
      .addColumn('reserved_at', timestamp, column => column.notNull())
      .addColumn('credential_id', text)
      .addPrimaryKeyConstraint('credentials_entries_key', ['list', 'place'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema
      .createIndex('credentials_entries_free')
      .on('credentials_entries')
      .columns(['credential_id', 'reserved_at'])
      .execute()
    await db.schema
      .createTable('credentials_marks')
      .addColumn('list', text, column => column.notNull())
      .addColumn('purpose', text, column => column.notNull())
      .addColumn('place', integer, column => column.notNull())
      .addPrimaryKeyConstraint('credentials_marks_key', ['list', 'purpose', 'place'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema
      .createTable('credentials_list_documents')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('version', integer, column => column.notNull())
      .addColumn('signer', text, column => column.notNull())
      .addColumn('document', text, column => column.notNull())
      .execute()
  },
  '0002-erased': async (db, { timestamp }) => {
    await db.schema.alterTable('credentials_credentials').addColumn('erased_at', timestamp).execute()
    await db.schema
      .createIndex('credentials_credentials_issued_by')
      .on('credentials_credentials')
      .column('issued_by')
      .execute()
    await db.schema.createIndex('credentials_changes_by').on('credentials_changes').column('by').execute()
  },
}
