import * as z from 'zod'

const isoDateTime = z.iso.datetime({ offset: true })
const ability = z
  .string()
  .max(200)
  .regex(/^(\*|[\w.-]+(\/[\w.-]+)*\/(\*|[\w.-]+))$/, 'not an ability such as chat/send, chat/* or *')
const did = z
  .string()
  .max(1000)
  .regex(/^did:[a-z0-9]+:\S+$/, 'not a DID')

/** The SHA-256 of the signed bytes of a UCAN (header.payload) as base64url, by which it is named. */
export const tokenHash = z.string().regex(/^[\w-]{43}$/, 'not a SHA-256 as base64url')

/** The body of `POST /auth/token`: what the bearer is to have less than the invocation. */
export const bearerRequest = z.strictObject({
  /** @default all that the invocation holds, but `auth/token` */
  scopes: z.array(ability).min(1).max(64).optional(),
  /** @default 900 */
  lifetimeSeconds: z.int().min(1).max(900).optional(),
})

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

/** The body of `POST /delegation`. */
export const delegationRequest = z.strictObject({
  /** The UCAN, addressed to the oracle's did:key. */
  delegation: z.string().max(8_192, 'at most 8192 characters'),
})

/** A delegation that the oracle keeps, without its token. */
export const delegationRecord = z.object({
  hash: tokenHash,
  issuer: z.string(),
  audience: z.string(),
  capabilities: z.array(z.object({ resource: z.string(), ability: z.string() })),
  expiresAt: isoDateTime,
})

/** The body of `POST /revocations`: the statement in the form that UCAN 0.8 gives it, and the token that it is about. */
export const revocationRequest = z.strictObject({
  /** The DID that revokes: an issuer of the token or of one of its proofs. */
  iss: did,
  revoke: tokenHash,
  /** The Ed25519 signature of `iss` over the text `REVOKE:<revoke>`, base64url. */
  challenge: z.string().max(200),
  /** The revoked UCAN. */
  token: z.string().max(16_384, 'at most 16384 characters'),
})

/** One revoked token. */
export const revocationRecord = z.object({
  hash: tokenHash,
  /** The DID of the issuer who revoked it, or `operator`. */
  revokedBy: z.string(),
  revokedAt: isoDateTime,
  /** Until when it is kept: no longer than the token could be used. */
  keptUntil: isoDateTime,
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
  did: did.optional(),
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

/** The ID of an API key. */
export const apiKeyId = z.string().regex(/^[\w-]{16}$/, 'not the ID of an API key')

/** An application that acts for a user who signed in with OAuth. */
export const signInRecord = z.object({
  id: z.string(),
  /** The user; only for the operator. */
  did: z.string().optional(),
  client: z.string(),
  clientName: z.string(),
  resource: z.string(),
  scopes: z.array(z.string()),
  createdAt: isoDateTime,
  expiresAt: isoDateTime,
  /** The last time that a token was issued. */
  usedAt: isoDateTime,
})

/** Response of `GET /oauth/sign-ins`. */
export const signInList = z.object({ signIns: z.array(signInRecord) })

export type ApiKeyRequest = z.infer<typeof apiKeyRequest>
export type SignInRecord = z.infer<typeof signInRecord>
export type ApiKeyRecord = z.infer<typeof apiKeyRecord>
export type CreatedApiKeyRecord = z.infer<typeof createdApiKeyRecord>
export type BearerRequest = z.infer<typeof bearerRequest>
export type BearerRecord = z.infer<typeof bearerRecord>
export type DelegationRecord = z.infer<typeof delegationRecord>
export type RevocationRequest = z.infer<typeof revocationRequest>
export type RevocationRecord = z.infer<typeof revocationRecord>
