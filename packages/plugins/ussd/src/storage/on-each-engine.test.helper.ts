import { onEachEngineWith, type TestEngineWith } from '@sibyl/storage/testing/engines'
import type { UssdTables } from './ussd-tables.ts'
import { ussdMigrations } from './ussd-tables.ts'

/** A tested engine, whose databases have this plugin's tables. */
export type TestEngine = TestEngineWith<UssdTables>

/** Runs a suite on SQLite, and on a temporary PostgreSQL if it is installed. */
export const onEachEngine = onEachEngineWith<UssdTables>('ussd', ussdMigrations)
