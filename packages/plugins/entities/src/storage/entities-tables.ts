import type { Host } from '@sibyl/plugin'
import type { ChangesTables } from '../changes/changes-tables.ts'
import type { GraphTables } from '../graph/graph-tables.ts'
import type { HistoryTables } from '../history/history-tables.ts'
import type { ProtocolTables } from '../protocols/protocol-tables.ts'
import type { ReadingTables } from '../reading/reading-tables.ts'
import type { SearchTables } from '../search/search-tables.ts'
import type { WritingTables } from '../writing/writing-tables.ts'

/** The tables of this plugin, from all its rooms. */
export type EntitiesTables = WritingTables &
  HistoryTables &
  ReadingTables &
  ProtocolTables &
  GraphTables &
  ChangesTables &
  SearchTables

/** The database as this plugin sees it. */
export type EntitiesStorage = Host<unknown, EntitiesTables>['storage']

/** A transaction of `EntitiesStorage.write`. */
export type EntitiesTransaction = Parameters<Parameters<EntitiesStorage['write']>[0]>[0]
