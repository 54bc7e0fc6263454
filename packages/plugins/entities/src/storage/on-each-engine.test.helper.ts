import { onEachEngineWith, type TestEngineWith } from '@sibyl/storage/testing/engines'
import { entitiesMigrations } from './entities-migrations.ts'
import type { EntitiesTables } from './entities-tables.ts'

/** An engine under test, whose databases have this plugin's tables. */
export type TestEngine = TestEngineWith<EntitiesTables>

/** Runs a suite on SQLite, and on a throwaway PostgreSQL where there is one. */
export const onEachEngine = onEachEngineWith<EntitiesTables>('entities', entitiesMigrations)
