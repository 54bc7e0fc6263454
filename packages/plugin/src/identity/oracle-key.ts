/** A current or previous signing key of the oracle. */
export interface OracleKey {
  /** The did:key. */
  readonly did: string
  /** When the database recorded it first, in milliseconds since 1970. */
  readonly since: number
  /** When another one replaced it, in milliseconds since 1970; missing while it is in use. */
  readonly until?: number
}
