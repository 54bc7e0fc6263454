import { type Migrations, sql } from '@sibyl/storage'

/** Whom each kept delegation counts for. */
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
