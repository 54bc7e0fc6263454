import type { OraclePlugin } from '@sibyl/core'
import { customerMigrations } from '../customers/customer-migrations.ts'
import { questionMigrations } from '../questions/question-migrations.ts'
import { sessionMigrations } from '../sessions/session-migrations.ts'

/** Migrations as `definePlugin` takes them. */
export type UssdMigrations = OraclePlugin['migrations']

/** All tables of this plugin: `0001-…` sessions, `0002-…` customers, `0003-…` questions. */
export const ussdMigrations: UssdMigrations = { ...sessionMigrations, ...customerMigrations, ...questionMigrations }
