import type { Migrations } from '@sibyl/plugin/storage'
import { customerMigrations } from '../customers/customer-migrations.ts'
import { peopleMigrations } from '../customers/people-migrations.ts'
import { questionMigrations } from '../questions/question-migrations.ts'
import { sessionMigrations } from '../sessions/session-migrations.ts'

/** All tables of this plugin: `0001-…` sessions, `0002-…` and `0004-…` customers and people, `0003-…` questions. */
export const ussdMigrations: Migrations = {
  ...sessionMigrations,
  ...customerMigrations,
  ...questionMigrations,
  ...peopleMigrations,
}
