/** The tables of bearers, delegations and revocations. Times are milliseconds since 1970. */
export interface AuthTables {
  core_bearers: {
    /** SHA-256 of the token, base64url; the token itself is not stored. */
    hash: string
    /** The DID that its holder acts as. */
    did: string
    /** JSON: abilities and patterns. */
    scopes: string
    /** The DID that limits are counted against; null in old rows. */
    holder: string | null
    /** JSON: Grant; null in old rows. */
    source: string | null
    /** The access policy that issued it; it is invalid under another one. */
    policy: string
    issued_at: number
    expires_at: number
  }
  core_bearer_links: {
    /** The `tokenHash` of the exchanged invocation, or of one of its proofs. */
    link: string
    /** The hash of the dependent bearer. */
    bearer: string
    expires_at: number
  }
  core_delegations: {
    /** The DID that delegated to the oracle. */
    did: string
    /** The DID that it counts for. */
    holder: string
    /** The network that posted it, if addresses share the limit. */
    origin: string | null
    /** Its `tokenHash`. */
    hash: string
    token: string
    issuer: string
    /** JSON: Capability[]. */
    capabilities: string
    /** JSON: the `tokenHash` of every token of its chain. */
    links: string
    created_at: number
    /** When the first token of its chain expires. */
    expires_at: number
  }
  core_api_keys: {
    /** SHA-256 of the secret, base64url; the secret itself is not stored. */
    hash: string
    /** Names it in lists and in grants. */
    id: string
    name: string
    /** The DID that its holder acts as. */
    did: string
    /** JSON: abilities and patterns. */
    scopes: string
    /** The DID that limits are counted against. */
    holder: string
    /** The network that created it, if addresses share the limit. */
    origin: string | null
    /** JSON: the Grant of its creator; null if the operator created it. */
    source: string | null
    created_at: number
    expires_at: number
    /** To the minute. */
    last_used_at: number | null
  }
  core_revocations: {
    /** The `tokenHash` of the revoked token. */
    hash: string
    /** The DID of the issuer who revoked it, or `operator`. */
    revoked_by: string
    /** The DID that it counts for; null for the operator, the oracle and its controllers, whose revocations have no limit. */
    holder: string | null
    /** The network that posted it, if addresses share the limit. */
    origin: string | null
    revoked_at: number
    /** When the token expires. */
    expires_at: number
  }
}
