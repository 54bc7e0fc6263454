import { onEachEngineWith, type TestEngineWith } from '@sibyl/storage/testing/engines'
import { ussdMigrations } from './ussd-migrations.ts'
import type { UssdTables } from './ussd-tables.ts'

/** An engine under test, whose databases have this plugin's tables. */
export type TestEngine = TestEngineWith<UssdTables>

/** Runs a suite on SQLite, and on a throwaway PostgreSQL where there is one. */
export const onEachEngine = onEachEngineWith<UssdTables>('ussd', ussdMigrations)
