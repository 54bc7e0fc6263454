import type { Migrations } from '@sibyl/plugin/storage'
import {
  actionTable,
  attemptTable,
  customerTable,
  flowCountTable,
  personTable,
  phoneTable,
  questionTable,
  resetCodeTable,
  sessionTable,
} from './ussd-tables.ts'

/**
 * Migrations of the plugin. A move of a session changes no indexed column, except at the start or end of an action, so
 * that it writes only its row.
 */
export const ussdMigrations: Migrations = {
  '0001-sessions': async (db, types) => {
    await sessionTable.create(db, types)
    for (const [index, column] of [
      ['ussd_sessions_caller', 'caller'],
      ['ussd_sessions_running', 'run_until'],
    ] as const) {
      await db.schema.createIndex(index).on('ussd_sessions').column(column).where(column, 'is not', null).execute()
    }
  },
  '0002-customers': async (db, types) => {
    for (const { create } of [customerTable, phoneTable, attemptTable, resetCodeTable, actionTable]) {
      await create(db, types)
    }
  },
  '0004-attempts-of-parts': attemptTable.addColumns('0004-attempts-of-parts'),
  '0003-questions': questionTable.create,
  '0004-people': personTable.create,
  '0005-flow-counts': flowCountTable.create,
}
