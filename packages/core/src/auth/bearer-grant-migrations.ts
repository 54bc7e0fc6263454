import type { Migrations } from '@sibyl/storage'

/** The holder and the source of the right of each bearer. */
export const bearerGrantMigrations: Migrations = {
  '0009-holder-and-source-of-bearers': async db => {
    for (const name of ['holder', 'source']) {
      await db.schema.alterTable('core_bearers').addColumn(name, 'text').execute()
    }
  },
}
