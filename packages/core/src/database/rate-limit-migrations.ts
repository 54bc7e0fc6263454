import type { Migrations } from '@sibyl/storage'

/** The migrations of the shared rate counts; a crash may lose counts. */
export const rateLimitMigrations: Migrations = {
  '0004-rate-counts': async (db, { unlogged }) => {
    await db.schema
      .createTable('core_rate_counts')
      .modifyFront(unlogged)
      .addColumn('key', 'text', column => column.primaryKey())
      .addColumn('used', 'integer', column => column.notNull())
      .addColumn('granted', 'integer', column => column.notNull())
      .addColumn('allowance', 'integer', column => column.notNull())
      .addColumn('ends_at', 'bigint', column => column.notNull())
      .execute()
  },
}
