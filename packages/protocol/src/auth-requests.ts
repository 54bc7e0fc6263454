import * as z from 'zod'
import { tokenHash } from './auth-records.ts'
import { canonicalDid } from './did-form.ts'

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
