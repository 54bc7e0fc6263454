import type { Migrations } from '@sibyl/storage'

/** The table of what each DID used on each day. */
export const tokenUsageMigrations: Migrations = {
  '0003-token-usage': async (db, { storedByKey }) => {
    await db.schema
      .createTable('core_token_usage')
      .addColumn('day', 'text', column => column.notNull())
      .addColumn('owner', 'text', column => column.notNull())
      .addColumn('tokens', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('core_token_usage_key', ['day', 'owner'])
      .modifyEnd(storedByKey)
      .execute()
  },
}
