import type { Generated } from '@sibyl/plugin/storage'

/** The tables of this room. On SQLite `entities_terms`, a full-text table, has the terms of each position. */
export interface ReadingTables {
  entities_listing: ListingRow
}

/** Where an entity stands in lists. */
export interface ListingRow {
  /** Counts entities as they are created. */
  position: Generated<number>
  entity_id: string
}
