import { column, defineTable, type TablesOf } from '@sibyl/storage'

/** Erasures of people. */
const erasures = defineTable(
  'core_erasures',
  {
    /** The `erasedMark` of the person. */
    mark: column.text().primaryKey(),
    /** The UTC day of the latest erasures: `2026-11-23`. */
    day: column.text(),
    /** The number of erasures on that day by the person. */
    times: column.integer(),
  },
  { storedByKey: true },
)

export const peopleTables = [erasures] as const

export type PeopleTables = TablesOf<typeof peopleTables>
