import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import type { SealedKey } from './sealed-key.ts'

const keyPlace = 'sibyl-signing-key'
const devicePlace = 'sibyl-signing-device'

/** What this browser keeps for this address: the sealed key, and a random name that tells it from other devices. */
export class BrowserStore {
  readonly #storage: () => Storage

  /** @param storage Gives the browser's storage, or throws. */
  constructor(storage: () => Storage) {
    this.#storage = storage
  }

  /** The sealed key; undefined where none is kept, or nothing that is one. */
  key(): SealedKey | undefined {
    try {
      const value: unknown = JSON.parse(this.#storage().getItem(keyPlace) ?? '')
      return isSealedKey(value) ? value : undefined
    } catch {
      return undefined
    }
  }

  /** Keeps a key in the place of the one before; false where the browser keeps nothing. */
  keepKey(sealed: SealedKey): boolean {
    try {
      this.#storage().setItem(keyPlace, JSON.stringify(sealed))
      return this.key()?.did === sealed.did
    } catch {
      return false
    }
  }

  /** The name of this browser; a passing one where nothing is kept. */
  device(): string {
    const made = bytesToHex(randomBytes(16))
    try {
      const kept = this.#storage().getItem(devicePlace) ?? ''
      if (/^[0-9a-f]{32}$/.test(kept)) return kept
      this.#storage().setItem(devicePlace, made)
    } catch {
      // The page is then another device each time that it is opened.
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
