import type { Migrations } from '@sibyl/plugin/storage'
import { changesMigrations } from '../changes/changes-migrations.ts'
import { erasingMigrations } from '../erasing/erasing-migrations.ts'
import { graphMigrations } from '../graph/graph-migrations.ts'
import { historyMigrations } from '../history/history-migrations.ts'
import { protocolMigrations } from '../protocols/protocol-migrations.ts'
import { readingMigrations } from '../reading/reading-migrations.ts'
import { searchMigrations } from '../search/search-migrations.ts'
import { writingMigrations } from '../writing/writing-migrations.ts'

/** All tables of this plugin: `0001` writing … `0007` search, `0008` snapshots of histories and erasures. */
export const entitiesMigrations: Migrations = {
  ...writingMigrations,
  ...historyMigrations,
  ...readingMigrations,
  ...protocolMigrations,
  ...graphMigrations,
  ...changesMigrations,
  ...searchMigrations,
  ...erasingMigrations,
}
