import type { UssdMigrations } from '../storage/ussd-migrations.ts'

/** The tables of this room. */
export const customerMigrations: UssdMigrations = {}
