import { column, defineTable, type TablesOf } from '@sibyl/storage'

/** Bytes of a turn besides its texts, rounded up: of its row, its timings and their indexes. */
export const storedTurnBytes = 2_000

/** The bytes that each user stores in conversations and beside them; a user without data has no row. */
const storedPeople = defineTable(
  'core_stored_people',
  {
    did: column.text(),
    /** The DID whose quota the bytes count for. */
    holder: column.text(),
    /** The network whose share the bytes count for: that of the latest write. */
    origin: column.text().nullable(),
    bytes: column.integer(),
  },
  { primaryKey: ['did'], storedByKey: true },
)

/** Sums of `core_stored_people`, so that no request adds up rows. */
const storedSums = defineTable(
  'core_stored_sums',
  {
    /** `holder:<DID>`, `origin:<network>`, or `all:<part>`; the sum of all parts is that of everyone. */
    name: column.text(),
    bytes: column.integer(),
  },
  { primaryKey: ['name'], storedByKey: true },
)

export const storedBytesTables = [storedPeople, storedSums] as const

export type StoredBytesTables = TablesOf<typeof storedBytesTables>
