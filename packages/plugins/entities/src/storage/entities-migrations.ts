import type { Migrations } from '@sibyl/core/storage'
import { changesMigrations } from '../changes/changes-migrations.ts'
import { graphMigrations } from '../graph/graph-migrations.ts'
import { historyMigrations } from '../history/history-migrations.ts'
import { protocolMigrations } from '../protocols/protocol-migrations.ts'
import { readingMigrations } from '../reading/reading-migrations.ts'
import { searchMigrations } from '../search/search-migrations.ts'
import { writingMigrations } from '../writing/writing-migrations.ts'

/** All tables of this plugin, a number a room: `0001` writing … `0007` search. */
export const entitiesMigrations: Migrations = {
  ...writingMigrations,
  ...historyMigrations,
  ...readingMigrations,
  ...protocolMigrations,
  ...graphMigrations,
  ...changesMigrations,
  ...searchMigrations,
}
