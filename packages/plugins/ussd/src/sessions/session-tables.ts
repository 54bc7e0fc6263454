/** The tables of this room. */
export interface SessionTables {
  /** Replaced by the room's first table. */
  ussd_sessions: { readonly id: string }
}
