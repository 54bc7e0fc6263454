import { onEachEngineWith, type TestEngineWith } from '@sibyl/storage/testing/engines'
import type { CredentialsTables } from './credentials-tables.ts'
import { credentialsMigrations } from './credentials-tables.ts'

/** An engine under test, whose databases have this plugin's tables. */
export type TestEngine = TestEngineWith<CredentialsTables>

/** Runs a suite on SQLite, and on a throwaway PostgreSQL where there is one. */
export const onEachEngine = onEachEngineWith<CredentialsTables>('credentials', credentialsMigrations)
