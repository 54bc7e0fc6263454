import { column, createTables, defineTable, sql, type TablesOf } from '@sibyl/storage'

/** Bytes of a turn besides its texts, as measured on PostgreSQL: of its rows and their indexes. */
export const storedTurnBytes = 4_000

/** The kind of conversations and their copies in adapters; that of a plugin is its name. */
export const conversations = 'conversations'

/** The bytes that each user stores of a kind; a user without data has no row. */
const storedBytes = defineTable(
  'core_stored_bytes',
  {
    /** `conversations`, or the name of the plugin that stores them. */
    kind: column.text(),
    did: column.text(),
    /** The DID whose quota the bytes count for. */
    holder: column.text(),
    /** The network whose share the bytes count for: that of the latest write. */
    origin: column.text().nullable(),
    bytes: column.integer(),
  },
  { primaryKey: ['kind', 'did'], storedByKey: true },
)

/** Sums of `core_stored_bytes`, so that no request adds up rows. */
const storedSums = defineTable(
  'core_stored_sums',
  {
    /** A kind and `holder:<DID>`, `origin:<network>`, or `all:<part>`; the sum of all parts is that of everyone. */
    name: column.text(),
    bytes: column.integer(),
  },
  { primaryKey: ['name'], storedByKey: true },
)

/** Before `core_stored_bytes`: the rows of conversations alone. */
const storedPeople = defineTable(
  'core_stored_people',
  { did: column.text(), holder: column.text(), origin: column.text().nullable(), bytes: column.integer() },
  { primaryKey: ['did'], storedByKey: true },
)

export const earlierStoredTables = [storedPeople, storedSums] as const

/** Moves the rows and sums of conversations to those with a kind. */
export const countByKind = createTables([storedBytes], async db => {
  await sql`insert into core_stored_bytes (kind, did, holder, origin, bytes)
    select ${sql.lit(conversations)}, did, holder, origin, bytes from core_stored_people`.execute(db)
  await sql`drop table core_stored_people`.execute(db)
  await sql`update core_stored_sums set name = ${sql.lit(`${conversations} `)} || name`.execute(db)
})

export type StoredBytesTables = TablesOf<[typeof storedBytes, typeof storedSums]>
