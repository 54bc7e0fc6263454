import { column, defineTable } from '@sibyl/storage'

/** Legal holds, also released ones. */
export const holds = defineTable(
  'core_holds',
  {
    id: column.serial(),
    did: column.text(),
    reason: column.text(),
    /** The DID of the operator. */
    held_by: column.text(),
    held_at: column.timestamp(),
    released_by: column.text().nullable(),
    released_at: column.timestamp().nullable(),
  },
  {
    indexes: {
      core_holds_current: { columns: ['did'], unique: true, where: 'released_at is null' },
      core_holds_person: ['did', 'id'],
    },
  },
)
