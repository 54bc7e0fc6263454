import type { Migrations } from '@sibyl/storage'

/** What a turn ran with, for the hooks that hear of its end. */
export const turnModelMigrations: Migrations = {
  '0008-turn-model-and-tools': async db => {
    for (const name of ['model', 'tools']) {
      await db.schema.alterTable('core_turns').addColumn(name, 'text').execute()
    }
  },
}
