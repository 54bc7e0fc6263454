/** The tables of this room. */
export type ProtocolTables = Record<never, never>
