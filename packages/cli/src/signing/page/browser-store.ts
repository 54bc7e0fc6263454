import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import type { SealedKey } from './sealed-key.ts'

const keyPlace = 'sibyl-signing-key'
const devicePlace = 'sibyl-signing-device'

/** The storage of this browser for this address: the encrypted key, and a random device name. */
export class BrowserStore {
  readonly #storage: () => Storage

  /** @param storage Returns the storage of the browser, or throws. */
  constructor(storage: () => Storage) {
    this.#storage = storage
  }

  /** Returns the encrypted key; undefined if none, or an invalid one, is stored. */
  key(): SealedKey | undefined {
    try {
      const value: unknown = JSON.parse(this.#storage().getItem(keyPlace) ?? '')
      return isSealedKey(value) ? value : undefined
    } catch {
      return undefined
    }
  }

  /** Stores a key, which replaces the previous one; false if the browser has no storage. */
  keepKey(sealed: SealedKey): boolean {
    try {
      this.#storage().setItem(keyPlace, JSON.stringify(sealed))
      return this.key()?.did === sealed.did
    } catch {
      return false
    }
  }

  /** Returns the name of this browser; a temporary one without storage. */
  device(): string {
    const made = bytesToHex(randomBytes(16))
    try {
      const kept = this.#storage().getItem(devicePlace) ?? ''
      if (/^[0-9a-f]{32}$/.test(kept)) return kept
      this.#storage().setItem(devicePlace, made)
    } catch {
      // The page is then another device each time it is opened.
    }
    return made
  }
}

const isSealedKey = (value: unknown): value is SealedKey => {
  const { version, did, kdf, nonce, ciphertext } = (value ?? {}) as Partial<SealedKey>
  const isHex = (text: unknown, length: number) =>
    typeof text === 'string' && text.length === length && /^[0-9a-f]*$/.test(text)
  return (
    version === 1 &&
    typeof did === 'string' &&
    [kdf?.N, kdf?.r, kdf?.p].every(Number.isSafeInteger) &&
    isHex(kdf?.salt, 32) &&
    isHex(nonce, 48) &&
    isHex(ciphertext, 96)
  )
}
