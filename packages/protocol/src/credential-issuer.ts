import type { SharedTransaction } from './entity-directory.ts'
import type { JsonValue } from './json-value.ts'
import { type ServiceToken, serviceToken } from './service-token.ts'

/** The content of a credential. */
export interface CredentialRequest {
  /** Its type beside `VerifiableCredential`: `CleanCookingCredential`. */
  readonly type: string
  /** `id` is the DID of whom it is about. */
  readonly subject: { readonly id: string } & Readonly<Record<string, JsonValue>>
  /** Milliseconds since 1970. @default now */
  readonly validFrom?: number
  /** Milliseconds since 1970. @default without an end */
  readonly validUntil?: number
  /** Its evidence: claims, protocols, documents by hash. */
  readonly evidence?: readonly (Readonly<Record<string, JsonValue>> & { readonly type: string })[]
  /** Two requests of one key are one credential, also after a restart. */
  readonly idempotencyKey: string
  /** The DID of who decided that it is issued. */
  readonly issuedBy: string
}

/** A credential that is signed and not stored yet. */
export interface PreparedCredential {
  /** `urn:uuid:…`. */
  readonly id: string
  /** The signed document (W3C VC Data Model 2.0). */
  readonly document: Readonly<Record<string, JsonValue>>
}

/** Issues credentials under the oracle's DID. */
export interface CredentialIssuer {
  /** Signs a credential. Throws `signing_key_missing` without a mnemonic. What is never stored was never issued. */
  prepare(request: CredentialRequest): Promise<PreparedCredential>
  /**
   * Stores it together with what it follows from, and enters it at its subject's entity. When one of its key was stored
   * before, that one stays.
   *
   * @returns the id of the credential that now stands for the key
   */
  store(prepared: PreparedCredential, tx: SharedTransaction): Promise<{ readonly id: string }>
  /** Revokes one; later verifications report it as revoked. */
  revoke(id: string, by: string, reason: string, tx: SharedTransaction): Promise<void>
  /**
   * Removes what credentials say of a person who is erased. Their status, place and proof stay, so that the person's own
   * copies verify as before.
   */
  scrub(ids: readonly string[], tx: SharedTransaction): Promise<void>
}

/** The service of the plugin that issues credentials. */
export const credentialIssuer: ServiceToken<CredentialIssuer> = serviceToken('credential-issuer')
