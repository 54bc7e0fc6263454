import { onEachEngineWith, type TestEngineWith } from '@sibyl/storage/testing/engines'
import type { ClaimsTables } from './claims-tables.ts'
import { claimsMigrations } from './claims-tables.ts'

/** An engine under test, whose databases have this plugin's tables. */
export type TestEngine = TestEngineWith<ClaimsTables>

/** Runs a suite on SQLite, and on a throwaway PostgreSQL where there is one. */
export const onEachEngine = onEachEngineWith<ClaimsTables>('claims', claimsMigrations)
