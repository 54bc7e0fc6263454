/** A key that the oracle signs with, or has signed with. */
export interface OracleKey {
  /** The did:key. */
  readonly did: string
  /** When the database saw it first, in milliseconds since 1970. */
  readonly since: number
  /** When another took its place, in milliseconds since 1970; missing while it is in use. */
  readonly until?: number
}
