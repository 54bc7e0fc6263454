import type { Migrations } from '@sibyl/storage'

/** Whom a revocation counts for. */
export const revocationCountMigrations: Migrations = {
  '0011-counted-revocations': async (db, { text }) => {
    for (const name of ['holder', 'origin']) {
      await db.schema.alterTable('core_revocations').addColumn(name, text).execute()
      await db.schema.createIndex(`core_revocations_${name}`).on('core_revocations').column(name).execute()
    }
  },
}
