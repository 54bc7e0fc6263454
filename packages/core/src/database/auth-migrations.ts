import { type Migrations, sql } from '@sibyl/storage'

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

/** Adds the holder and the source of the grant of each bearer. */
export const bearerGrantMigrations: Migrations = {
  '0009-holder-and-source-of-bearers': async db => {
    for (const name of ['holder', 'source']) {
      await db.schema.alterTable('core_bearers').addColumn(name, 'text').execute()
    }
  },
}

/** Adds the holder that each stored delegation counts for. */
export const delegationHolderMigrations: Migrations = {
  '0011-holders-of-delegations': async db => {
    for (const name of ['holder', 'origin']) {
      await db.schema.alterTable('core_delegations').addColumn(name, 'text').execute()
    }
    await sql`update core_delegations set holder = did`.execute(db)
    await db.schema
      .createIndex('core_delegations_shares')
      .on('core_delegations')
      .columns(['holder', 'origin'])
      .execute()
  },
}

/** Adds the holder that a revocation counts for. */
export const revocationCountMigrations: Migrations = {
  '0011-counted-revocations': async (db, { text }) => {
    for (const name of ['holder', 'origin']) {
      await db.schema.alterTable('core_revocations').addColumn(name, text).execute()
      await db.schema.createIndex(`core_revocations_${name}`).on('core_revocations').column(name).execute()
    }
  },
}

/** The table of stored API keys. */
export const apiKeyMigrations: Migrations = {
  '0013-api-keys': async (db, { text, timestamp, storedByKey }) => {
    await db.schema
      .createTable('core_api_keys')
      .addColumn('hash', text, column => column.primaryKey())
      .addColumn('id', text, column => column.notNull())
      .addColumn('name', text, column => column.notNull())
      .addColumn('did', text, column => column.notNull())
      .addColumn('scopes', text, column => column.notNull())
      .addColumn('holder', text, column => column.notNull())
      .addColumn('origin', text)
      .addColumn('source', text)
      .addColumn('created_at', timestamp, column => column.notNull())
      .addColumn('expires_at', timestamp, column => column.notNull())
      .addColumn('last_used_at', timestamp)
      .addUniqueConstraint('core_api_keys_id', ['id'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('core_api_keys_did').on('core_api_keys').columns(['did', 'created_at']).execute()
    await db.schema.createIndex('core_api_keys_shares').on('core_api_keys').columns(['holder', 'origin']).execute()
    await db.schema.createIndex('core_api_keys_age').on('core_api_keys').column('expires_at').execute()
  },
}
