import { createTables } from '@sibyl/storage'
import { alertTables } from './alert-tables.ts'
import { authTables } from './auth-tables.ts'
import { coreTables } from './core-tables.ts'
import { turnTimingTables } from './turn-timing-tables.ts'

export const coreMigrations = {
  '0100-base': createTables([...coreTables, ...authTables, ...turnTimingTables, ...alertTables]),
}
