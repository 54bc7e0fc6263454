/** The tables of this room. */
export type ReadingTables = Record<never, never>
