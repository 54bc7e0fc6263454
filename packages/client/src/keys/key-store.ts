import type { Signer } from '@sibyl/identity/browser'

/** A signing key that is stored in the browser. */
export interface StoredKey extends Signer {
  /**
   * `non-extractable`: no script can read the secret. `extractable`: the browser offers no Ed25519, as on plain http, so
   * the secret itself is stored.
   */
  readonly protection: 'non-extractable' | 'extractable'
}

/** The place where a user's signing key is kept between visits. */
export interface KeyStore {
  /**
   * Returns the stored key and creates it on the first visit. All tabs of an origin get the same key.
   *
   * @throws KeyLostError (`key_lost`) when a key was created here and is gone, KeyStoreError (`key_store_unavailable`)
   */
  open(): Promise<StoredKey>
  /**
   * Creates a new key, and with it a new identity, in place of the stored or lost one. Signing with the previous key
   * then fails with KeyLostError in every tab.
   */
  replace(): Promise<StoredKey>
  /** Removes the key for good, as when the user signs out. */
  forget(): Promise<void>
}
