/** The tables of this room. */
export type SearchTables = Record<never, never>
