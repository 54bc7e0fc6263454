import { column, createTables, defineTable, type TablesOf } from '@sibyl/plugin'
import { z } from 'zod'

/** Records of the authorization server: clients, interactions, codes, tokens. Times are milliseconds since 1970. */
export const records = defineTable(
  'oauth_records',
  {
    /** `Client`, `Interaction`, `AuthorizationCode`, `AccessToken`, `RefreshToken`, … */
    kind: column.text(),
    /** SHA-256 of the ID, base64url. For a code or a token the ID is its secret, which is not stored. */
    id: column.text(),
    /** JSON, without the ID. */
    payload: column.text(),
    /** SHA-256 of the ID of its grant. */
    grantId: column.text().nullable(),
    /** The sign-in that it belongs to. */
    signIn: column.text().nullable(),
    expiresAt: column.timestamp(),
    consumedAt: column.timestamp().nullable(),
    /** The network that created it, if it is known. */
    site: column.text().nullable().since('0101-sites'),
  },
  {
    primaryKey: ['kind', 'id'],
    indexes: {
      oauth_records_by_grant: ['grantId'],
      oauth_records_by_sign_in: ['signIn'],
      oauth_records_by_age: ['kind', 'expiresAt'],
    },
  },
)

/** Users who let a client act for them. */
export const signIns = defineTable(
  'oauth_sign_ins',
  {
    id: column.text().primaryKey(),
    /** The DID that the client acts as. */
    did: column.text(),
    scopes: column.json(z.array(z.string())),
    /** The DID that limits are counted against. */
    holder: column.text(),
    /** The network that signed in, if addresses share limits. */
    origin: column.text().nullable(),
    /** JSON: the Grant of the user. */
    source: column.text(),
    client: column.text(),
    clientName: column.text(),
    /** Where its codes were sent; null for sign-ins of earlier versions. */
    redirectUri: column.text().nullable().since('0102-redirects'),
    /** The browser and the system of the user: `Firefox on Windows`. */
    device: column.text().nullable().since('0104-devices'),
    /** URL of the resource that tokens are for. */
    resource: column.text(),
    createdAt: column.timestamp(),
    expiresAt: column.timestamp(),
    /** The last time that a token was issued. */
    usedAt: column.timestamp(),
  },
  {
    indexes: {
      oauth_sign_ins_by_did: ['did', 'createdAt'],
      oauth_sign_ins_by_share: ['holder', 'origin'],
      oauth_sign_ins_by_age: ['expiresAt'],
    },
  },
)

/** One-time codes of the operator. */
export const codes = defineTable(
  'oauth_codes',
  {
    /** SHA-256 of the code, base64url. */
    hash: column.text().primaryKey(),
    did: column.text(),
    scopes: column.json(z.array(z.string())),
    expiresAt: column.timestamp(),
    /** JSON: the Grant of its creator; unset for the operator token. */
    source: column.text().nullable(),
  },
  { indexes: { oauth_codes_by_did: ['did'], oauth_codes_by_age: ['expiresAt'] } },
)

/** Names that operators gave to people with one-time codes. */
const people = defineTable('oauth_people', { did: column.text().primaryKey(), name: column.text() })

const tables = [records, signIns, codes, people] as const

export type OauthTables = TablesOf<typeof tables>

export const oauthMigrations = {
  '0100-base': createTables([records, signIns, codes]),
  '0101-sites': records.addColumns('0101-sites'),
  '0102-redirects': signIns.addColumns('0102-redirects'),
  '0103-names': createTables([people]),
  '0104-devices': signIns.addColumns('0104-devices'),
}
