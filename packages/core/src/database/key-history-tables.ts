import { column, defineTable, type TablesOf } from '@sibyl/storage'

/** The signing keys of the oracle. Times are milliseconds since 1970. */
const keys = defineTable(
  'core_keys',
  {
    /** The did:key. */
    did: column.text().primaryKey(),
    /** When this database recorded it first. */
    since: column.timestamp(),
    /** When another one replaced it; null while it is in use. */
    until: column.timestamp().nullable(),
  },
  { storedByKey: true },
)

export const keyHistoryTables = [keys] as const

export type KeyHistoryTables = TablesOf<typeof keyHistoryTables>
