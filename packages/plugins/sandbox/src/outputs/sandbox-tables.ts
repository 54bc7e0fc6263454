import { column, createTables, defineTable, type TablesOf } from '@sibyl/plugin'

/** A text of a program that was too long for one response. */
const outputs = defineTable(
  'sandbox_outputs',
  {
    id: column.text().primaryKey(),
    /** DID of the user who ran the program. */
    owner: column.text(),
    /** DID whose limit it counts toward. */
    holder: column.text().filled(),
    /** Network that the program came from, for limits by address. */
    origin: column.text().nullable(),
    /** Its kind: `result`, `output`, or the name of a file. */
    name: column.text(),
    text: column.text(),
    characters: column.integer(),
    kept_at: column.timestamp(),
  },
  {
    indexes: {
      sandbox_outputs_holder: ['holder', 'kept_at', 'id', 'characters'],
      sandbox_outputs_kept_at: ['kept_at'],
      sandbox_outputs_owner: ['owner', 'kept_at'],
      sandbox_outputs_size: ['origin', 'characters'],
    },
  },
)

const sandboxTables = [outputs] as const

/** Tables of the plugin. Times are milliseconds since 1970. */
export type SandboxTables = TablesOf<typeof sandboxTables>

export const sandboxMigrations = { '0100-base': createTables(sandboxTables) }
