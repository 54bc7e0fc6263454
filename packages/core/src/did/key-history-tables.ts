/** The table of the keys that the oracle has signed with. Times are milliseconds since 1970. */
export interface KeyHistoryTables {
  core_keys: {
    /** The did:key. */
    did: string
    /** When this database saw it first. */
    since: number
    /** When another took its place; null while it is in use. */
    until: number | null
  }
}
