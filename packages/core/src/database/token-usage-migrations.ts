import type { Migrations } from '@sibyl/storage'

/** The migrations of the daily usage of each holder. */
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

/** Adds the holder of a turn, and the daily usage of each origin. */
export const usageByHolderMigrations: Migrations = {
  '0010-usage-by-holder-and-origin': async (db, { storedByKey }) => {
    for (const name of ['holder', 'origin']) {
      await db.schema.alterTable('core_turns').addColumn(name, 'text').execute()
    }
    await db.schema
      .createTable('core_origin_usage')
      .addColumn('day', 'text', column => column.notNull())
      .addColumn('origin', 'text', column => column.notNull())
      .addColumn('tokens', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('core_origin_usage_key', ['day', 'origin'])
      .modifyEnd(storedByKey)
      .execute()
  },
}
