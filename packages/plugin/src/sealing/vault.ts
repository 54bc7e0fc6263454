/** Encrypts what is kept, with keys derived from `PIN_ENCRYPTION_KEY` and those before it. */
export interface Vault {
  /**
   * Encrypts with AES-256-GCM under a fresh nonce, bound to `place`.
   *
   * @param place Where it is kept: table, column, a colon and the row. What was sealed for one place does not open in another.
   * @returns text that names the key by its id
   */
  seal(plain: string, place: string): string
  /** Decrypts. Throws `seal_broken` for what was changed, moved, or sealed with a key that is not there any more. */
  open(sealed: string, place: string): string
  /**
   * Keyed hashes (HMAC-SHA-256) by which something is found that is kept encrypted: the first under the key of now, which
   * rows are written with, the others under earlier keys, by which rows of before are found. Each begins with its key's id.
   *
   * @param purpose Keeps hashes of one value in two tables apart: `phone`.
   */
  lookupHashes(value: string, purpose: string): readonly [string, ...string[]]
  /** The ids of all keys, public fingerprints, that of the key of now first. */
  readonly keyIds: readonly [string, ...string[]]
  /** Whether a sealed text or a lookup hash was made with the key of now. */
  isCurrent(text: string): boolean
}
