import { fromBase64url, toBase64url } from '../encoding/base64url.ts'
import type { Signer } from '../keys/signing-key.ts'
import { verifySignature } from '../keys/verify-signature.ts'
import { defaultTokenLimits, isRefusal, linksOf, readToken } from './read-token.ts'
import { type Refusal, refuse } from './refusal.ts'
import { tokenHash } from './token-hash.ts'

/** A statement that a token is good no longer, in the form that UCAN 0.8 gives it. */
export interface Revocation {
  /** The revoker: an issuer of the token or of one of its proofs. */
  readonly iss: string
  /** The `tokenHash` of the revoked token. */
  readonly revoke: string
  /** The signature of `iss` over the text `REVOKE:<hash>`, base64url. */
  readonly challenge: string
}

/** A verified revocation, or the reason why it is invalid. */
export type RevocationVerdict =
  | {
      readonly ok: true
      /** The `tokenHash`. */
      readonly hash: string
      /** When the token expires, in seconds since 1970. */
      readonly expiresAt: number
    }
  | Refusal

/** The verdict on a revocation of a chain that a verifier could accept. */
export type ChainRevocationVerdict =
  | {
      readonly ok: true
      /** The `tokenHash`. */
      readonly hash: string
      /** Seconds since 1970, when the first token of the chain expires: from then on it is refused anyway. */
      readonly expiresAt: number
      /** The `holder` of the chain, as of an invocation; undefined where it grants nothing on the resource. */
      readonly holder: string | undefined
    }
  | Refusal

const encode = (hash: string): Uint8Array => new TextEncoder().encode(`REVOKE:${hash}`)

/**
 * Signs a revocation.
 *
 * @param key the issuer of the token, or of one of its proofs
 * @param token the encoded UCAN to revoke
 *
 * @example
 * const revocation = await signRevocation(key, delegation)
 * await fetch(`${oracle}/revocations`, { method: 'POST', body: JSON.stringify({ ...revocation, token: delegation }) })
 */
export async function signRevocation(key: Signer, token: string): Promise<Revocation> {
  const hash = tokenHash(token)
  return { iss: key.did, revoke: hash, challenge: toBase64url(await key.sign(encode(hash))) }
}

/**
 * Judges a revocation. The hash covers the issuers of the token and of its proofs, so the token's own signature does not
 * matter here.
 *
 * @param revocation from outside
 * @param token the encoded UCAN that it names
 */
export function verifyRevocation({ iss, revoke, challenge }: Revocation, token: string): RevocationVerdict {
  const read = readToken(token, defaultTokenLimits)
  if (isRefusal(read)) return read
  if (tokenHash(token) !== revoke) return refuse('malformed', 'The revocation names another token.')
  if (!linksOf(read).some(link => link.claims.issuer === iss)) {
    return refuse('untrusted_root', 'The revoker issued neither the token nor one of its proofs.')
  }
  const signature = fromBase64url(challenge)
  if (!signature || !verifySignature(iss, encode(revoke), signature)) {
    return refuse('bad_signature', 'The signature of the revocation is invalid.')
  }
  return { ok: true, hash: revoke, expiresAt: read.claims.expiresAt }
}
