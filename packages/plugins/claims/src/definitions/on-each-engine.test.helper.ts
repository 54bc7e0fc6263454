import { onEachEngineWith, type TestEngineWith } from '@sibyl/storage/testing/engines'
import { claimsMigrations } from './claims-migrations.ts'
import type { ClaimsTables } from './claims-tables.ts'

/** An engine under test, whose databases have this plugin's tables. */
export type TestEngine = TestEngineWith<ClaimsTables>

/** Runs a suite on SQLite, and on a throwaway PostgreSQL where there is one. */
export const onEachEngine = onEachEngineWith<ClaimsTables>('claims', claimsMigrations)
