import * as z from 'zod'
import { canonicalDid } from './did-form.ts'

const isoDateTime = z.iso.datetime({ offset: true })

/** The SHA-256 of the signed bytes of a UCAN (header.payload) as base64url, by which it is named. */
const tokenHash = z.string().regex(/^[\w-]{43}$/, 'not a SHA-256 as base64url')

/** The answer of `POST /auth/token`. */
export const bearerRecord = z.object({
  /** For `Authorization: Bearer <token>`; shown this once. */
  token: z.string(),
  tokenType: z.literal('Bearer'),
  /** The DID that its holder acts as. */
  did: z.string(),
  scopes: z.array(z.string()),
  expiresAt: isoDateTime,
})

/** The answer of `DELETE /auth/token`. */
export const bearerRevocationRecord = z.object({
  /** The number of revoked bearers. */
  revoked: z.int(),
})

/** A delegation that the oracle keeps, without its token. */
export const delegationRecord = z.object({
  hash: tokenHash,
  issuer: z.string(),
  audience: z.string(),
  capabilities: z.array(z.object({ resource: z.string(), ability: z.string() })),
  expiresAt: isoDateTime,
})

/** A recorded delegation of access to the oracle, without its token. */
export const grantRecord = z.object({
  hash: tokenHash,
  /** The DID that signed it. */
  issuer: z.string(),
  /** The DID that may use it. */
  audience: z.string(),
  /** The name of the audience, as the issuer gave it. */
  name: z.string().optional(),
  /** The DID with which its chain starts: the oracle or a controller. */
  root: z.string(),
  abilities: z.array(z.string()),
  createdAt: isoDateTime,
  expiresAt: isoDateTime,
})

/** The answer of `GET /grants`. */
export const grantList = z.object({ grants: z.array(grantRecord) })

/** One revoked token. */
export const revocationRecord = z.object({
  hash: tokenHash,
  /** The DID of the issuer who revoked it, or `operator`. */
  revokedBy: z.string(),
  revokedAt: isoDateTime,
  /** Until when it is kept: no longer than the token could be used. */
  keptUntil: isoDateTime,
})

/** One API key, without its secret. */
export const apiKeyRecord = z.object({
  id: z.string(),
  name: z.string(),
  /** The DID that its holder acts as. */
  did: z.string(),
  scopes: z.array(z.string()),
  createdAt: isoDateTime,
  expiresAt: isoDateTime,
  /** The last use, to the minute; missing before the first one. */
  lastUsedAt: isoDateTime.optional(),
})

/** The answer of `POST /api-keys`. */
export const createdApiKeyRecord = apiKeyRecord.extend({
  /** The secret, for `Authorization: Bearer <key>`; shown this once. */
  key: z.string(),
})

/** The answer of `GET /api-keys`. */
export const apiKeyList = z.object({ keys: z.array(apiKeyRecord) })

/** An application that acts for a user who signed in with OAuth. */
export const signInRecord = z.object({
  id: z.string(),
  /** The user; only for the operator. */
  did: z.string().optional(),
  client: z.string(),
  /** The client chose it; anyone can choose any. */
  clientName: z.string(),
  /** Whether the name is certain: that of the oracle's own console. */
  nameVerified: z.boolean().optional(),
  /** The address of the client that is certain: that of its document, else its redirect URI; for old sign-ins its ID. */
  application: z.string().optional(),
  /** The browser and the system of the user: `Firefox on Windows`. */
  device: z.string().optional(),
  /** Set if the request has a token of this sign-in. */
  current: z.literal(true).optional(),
  resource: z.string(),
  scopes: z.array(z.string()),
  createdAt: isoDateTime,
  expiresAt: isoDateTime,
  /** The last time that a token was issued. */
  usedAt: isoDateTime,
})

/** Response of `GET /oauth/sign-ins`. */
export const signInList = z.object({ signIns: z.array(signInRecord) })

const ability = z
  .string()
  .max(200)
  .regex(/^(\*|[\w.-]+(\/[\w.-]+)*\/(\*|[\w.-]+))$/, 'not an ability such as chat/send, chat/* or *')

/** The body of `POST /auth/token`: what the bearer is to have less than the invocation. */
export const bearerRequest = z.strictObject({
  /** @default all that the invocation holds, but `auth/token` */
  scopes: z.array(ability).min(1).max(64).optional(),
  /** @default 900 */
  lifetimeSeconds: z.int().min(1).max(900).optional(),
})

/** The body of `POST /revocations`: the statement in the form that UCAN 0.8 gives it, and the token that it is about. */
export const revocationRequest = z.strictObject({
  /** The DID that revokes: an issuer of the token or of one of its proofs. */
  iss: canonicalDid,
  revoke: tokenHash,
  /** The Ed25519 signature of `iss` over the text `REVOKE:<revoke>`, base64url. */
  challenge: z.string().max(200),
  /** The revoked UCAN. */
  token: z.string().max(16_384, 'at most 16384 characters'),
})

/** The body of `POST /grants`: a delegation of access to the oracle. */
export const grantRequest = z.strictObject({
  /** The UCAN. */
  delegation: z.string().max(8_192, 'at most 8192 characters'),
  /** The DID that it is for. */
  audience: canonicalDid,
  /** Text for the list: the name of the audience. */
  name: z.string().trim().min(1).max(100).optional(),
})

/** The body of `POST /api-keys`: the properties of a new API key. */
export const apiKeyRequest = z.strictObject({
  /** Text for its owner. */
  name: z.string().trim().min(1).max(100),
  /** @default `chat/*` and `session/*`, as far as the caller has them */
  scopes: z.array(ability).min(1).max(64).optional(),
  /** Days until it expires. @default 90 */
  days: z.int().min(1).max(365).optional(),
  /** Only for the operator: the DID that its holder acts as. @default one that belongs to the key alone */
  did: canonicalDid.optional(),
})
