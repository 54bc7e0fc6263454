import type { Migrations } from '@sibyl/storage'

/** The tables of bearers, delegations and revocations, version by version. */
export const authMigrations: Migrations = {
  '0002-bearers-delegations-revocations': async (db, { text, timestamp, storedByKey }) => {
    await db.schema
      .createTable('core_bearers')
      .addColumn('hash', text, column => column.primaryKey())
      .addColumn('did', text, column => column.notNull())
      .addColumn('scopes', text, column => column.notNull())
      .addColumn('policy', text, column => column.notNull())
      .addColumn('issued_at', timestamp, column => column.notNull())
      .addColumn('expires_at', timestamp, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('core_bearers_did').on('core_bearers').columns(['did', 'issued_at']).execute()
    await db.schema.createIndex('core_bearers_age').on('core_bearers').column('expires_at').execute()
    await db.schema
      .createTable('core_bearer_links')
      .addColumn('link', text, column => column.notNull())
      .addColumn('bearer', text, column => column.notNull())
      .addColumn('expires_at', timestamp, column => column.notNull())
      .addPrimaryKeyConstraint('core_bearer_links_key', ['link', 'bearer'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('core_bearer_links_age').on('core_bearer_links').column('expires_at').execute()
    await db.schema
      .createTable('core_delegations')
      .addColumn('did', text, column => column.notNull())
      .addColumn('hash', text, column => column.notNull())
      .addColumn('token', text, column => column.notNull())
      .addColumn('issuer', text, column => column.notNull())
      .addColumn('capabilities', text, column => column.notNull())
      .addColumn('links', text, column => column.notNull())
      .addColumn('created_at', timestamp, column => column.notNull())
      .addColumn('expires_at', timestamp, column => column.notNull())
      .addPrimaryKeyConstraint('core_delegations_key', ['did', 'hash'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('core_delegations_age').on('core_delegations').column('expires_at').execute()
    await db.schema
      .createTable('core_revocations')
      .addColumn('hash', text, column => column.primaryKey())
      .addColumn('revoked_by', text, column => column.notNull())
      .addColumn('revoked_at', timestamp, column => column.notNull())
      .addColumn('expires_at', timestamp, column => column.notNull())
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('core_revocations_by').on('core_revocations').column('revoked_by').execute()
    await db.schema.createIndex('core_revocations_age').on('core_revocations').column('expires_at').execute()
  },
}
