/**
 * What a phone is asked to sign: a delegation (UCAN) that lets this computer act at one registry, for a while. The page
 * makes its plain words from these facts, and signs these facts; no text of ours goes unchecked between the two.
 */
export interface SigningRequest {
  /** Where it is good, and nowhere else. */
  readonly registry: { readonly title: string; readonly did: string }
  /** The DID of this computer's key, which receives the right. */
  readonly audience: string
  /** `entities/*`, `auth/impersonate` */
  readonly abilities: readonly string[]
  readonly lifetimeSeconds: number
  /** The oracle that it is about, where there is one: `Field Oracle`. */
  readonly about?: string
  /** The controller that must sign, where it is known already; another key is the wrong device. */
  readonly expectedDid?: string
}

/** What a phone signed, verified by this computer. */
export interface SignedDelegation {
  /** The DID of the phone's key. */
  readonly did: string
  /** The UCAN. */
  readonly delegation: string
  /** When it ends, seconds since 1970. */
  readonly expiresAt: number
}
