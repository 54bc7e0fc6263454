import type { Host } from '@sibyl/plugin'
import type { CustomerTables } from '../customers/customer-tables.ts'
import type { QuestionTables } from '../questions/question-tables.ts'
import type { SessionTables } from '../sessions/session-tables.ts'

/** The tables of this plugin, from all its rooms. */
export type UssdTables = SessionTables & CustomerTables & QuestionTables

/** The database as this plugin sees it. */
export type UssdStorage = Host<unknown, UssdTables>['storage']

/** A transaction of `UssdStorage.write`. */
export type WriteTransaction = Parameters<Parameters<UssdStorage['write']>[0]>[0]
