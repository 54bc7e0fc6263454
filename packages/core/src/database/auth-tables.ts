import { column, defineTable, type TablesOf } from '@sibyl/storage'

const bearers = defineTable(
  'core_bearers',
  {
    /** SHA-256 of the token, base64url; the token itself is not stored. */
    hash: column.text().primaryKey(),
    /** The DID that its holder acts as. */
    did: column.text(),
    /** JSON: abilities and patterns. */
    scopes: column.text(),
    /** The DID that limits are counted against; null in old rows. */
    holder: column.text().nullable(),
    /** JSON: Grant; null in old rows. */
    source: column.text().nullable(),
    /** The access policy that issued it; it is invalid under another one. */
    policy: column.text(),
    issued_at: column.timestamp(),
    expires_at: column.timestamp(),
  },
  { indexes: { core_bearers_age: ['expires_at'], core_bearers_did: ['did', 'issued_at'] }, storedByKey: true },
)

const bearerLinks = defineTable(
  'core_bearer_links',
  {
    /** The `tokenHash` of the exchanged invocation, or of one of its proofs. */
    link: column.text(),
    /** The hash of the dependent bearer. */
    bearer: column.text(),
    expires_at: column.timestamp(),
  },
  { primaryKey: ['link', 'bearer'], indexes: { core_bearer_links_age: ['expires_at'] }, storedByKey: true },
)

const delegations = defineTable(
  'core_delegations',
  {
    /** The DID that delegated to the oracle. */
    did: column.text(),
    /** The DID that it counts for. */
    holder: column.text().filled(),
    /** The network that posted it, if addresses share the limit. */
    origin: column.text().nullable(),
    /** Its `tokenHash`. */
    hash: column.text(),
    token: column.text(),
    issuer: column.text(),
    /** JSON: Capability[]. */
    capabilities: column.text(),
    /** JSON: the `tokenHash` of every token of its chain. */
    links: column.text(),
    created_at: column.timestamp(),
    /** When the first token of its chain expires. */
    expires_at: column.timestamp(),
  },
  {
    primaryKey: ['did', 'hash'],
    indexes: { core_delegations_age: ['expires_at'], core_delegations_shares: ['holder', 'origin'] },
    storedByKey: true,
  },
)

const apiKeys = defineTable(
  'core_api_keys',
  {
    /** SHA-256 of the secret, base64url; the secret itself is not stored. */
    hash: column.text().primaryKey(),
    /** Names it in lists and in grants. */
    id: column.text(),
    name: column.text(),
    /** The DID that its holder acts as. */
    did: column.text(),
    /** JSON: abilities and patterns. */
    scopes: column.text(),
    /** The DID that limits are counted against. */
    holder: column.text(),
    /** The network that created it, if addresses share the limit. */
    origin: column.text().nullable(),
    /** JSON: the Grant of its creator; null if the operator created it. */
    source: column.text().nullable(),
    created_at: column.timestamp(),
    expires_at: column.timestamp(),
    /** To the minute. */
    last_used_at: column.timestamp().nullable(),
  },
  {
    unique: { core_api_keys_id: ['id'] },
    indexes: {
      core_api_keys_age: ['expires_at'],
      core_api_keys_did: ['did', 'created_at'],
      core_api_keys_shares: ['holder', 'origin'],
    },
    storedByKey: true,
  },
)

const revocations = defineTable(
  'core_revocations',
  {
    /** The `tokenHash` of the revoked token. */
    hash: column.text().primaryKey(),
    /** The DID of the issuer who revoked it, or `operator`. */
    revoked_by: column.text(),
    /** The DID that it counts for; null for the operator, the oracle and its controllers, whose revocations have no limit. */
    holder: column.text().nullable(),
    /** The network that posted it, if addresses share the limit. */
    origin: column.text().nullable(),
    revoked_at: column.timestamp(),
    /** When the token expires. */
    expires_at: column.timestamp(),
  },
  {
    indexes: {
      core_revocations_age: ['expires_at'],
      core_revocations_by: ['revoked_by'],
      core_revocations_holder: ['holder'],
      core_revocations_origin: ['origin'],
    },
    storedByKey: true,
  },
)

const grants = defineTable(
  'core_grants',
  {
    /** The `tokenHash`. */
    hash: column.text().primaryKey(),
    /** The DID that signed it. */
    issuer: column.text(),
    audience: column.text(),
    /** The DID with which its chain starts: the oracle or a controller. */
    root: column.text(),
    /** The name of the audience; null if the issuer gave none. */
    name: column.text().nullable(),
    /** JSON: abilities and patterns at the oracle. */
    abilities: column.text(),
    /** JSON: the `tokenHash` of every token of its chain. */
    links: column.text(),
    /** The DID that it counts for; null for the oracle and its controllers, who have no limit. */
    holder: column.text().nullable(),
    /** The network that posted it, if addresses share the limit. */
    origin: column.text().nullable(),
    created_at: column.timestamp(),
    expires_at: column.timestamp(),
  },
  { indexes: { core_grants_age: ['expires_at'] }, storedByKey: true },
)

/** The signing keys and public DIDs of the oracle. */
const keys = defineTable(
  'core_keys',
  {
    /** The did:key, or the did:web. */
    did: column.text().primaryKey(),
    /** When this database recorded it first. */
    since: column.timestamp(),
    /** When another one replaced it; null while it is in use. */
    until: column.timestamp().nullable(),
  },
  { storedByKey: true },
)

/** Tables of signing keys, bearers, delegations, revocations and API keys. Times are milliseconds since 1970. */
export const authTables = [keys, bearers, bearerLinks, delegations, apiKeys, revocations] as const

/** The table of granted access. */
export const grantTables = [grants] as const

export type AuthTables = TablesOf<typeof authTables> & TablesOf<typeof grantTables>
