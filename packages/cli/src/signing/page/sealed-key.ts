import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { scrypt } from '@noble/hashes/scrypt.js'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import { type SigningKey, signingKeyFromSecret } from '@sibyl/identity/browser'

/** An encrypted key, as stored by the browser; binary values in hexadecimal. */
export interface SealedKey {
  readonly version: 1
  readonly did: string
  /** scrypt (RFC 7914). */
  readonly kdf: { readonly N: number; readonly r: number; readonly p: number; readonly salt: string }
  /** XChaCha20-Poly1305; `version`, `did` and `kdf` are authenticated. */
  readonly nonce: string
  readonly ciphertext: string
}

/** The cost of trying a passphrase: the same work as N = 2^17, in half the memory (64 MB), for phones. */
export const usualCost = { N: 2 ** 16, r: 8, p: 2 }

/** Encrypts a key with a passphrase. Blocks the page for a second or more, like `openKey`. */
export const sealKey = (key: SigningKey, passphrase: string, cost = usualCost): SealedKey => {
  const head = { version: 1, did: key.did, kdf: { ...cost, salt: bytesToHex(randomBytes(16)) } } as const
  const nonce = randomBytes(24)
  const cipher = xchacha20poly1305(stretch(passphrase, head.kdf), nonce, authenticated(head))
  return { ...head, nonce: bytesToHex(nonce), ciphertext: bytesToHex(cipher.encrypt(key.exportSecret())) }
}

/** Decrypts a key; undefined if the passphrase is wrong, or the stored data was changed. */
export const openKey = (sealed: SealedKey, passphrase: string): SigningKey | undefined => {
  try {
    const secret = stretch(passphrase, sealed.kdf)
    const cipher = xchacha20poly1305(secret, hexToBytes(sealed.nonce), authenticated(sealed))
    return signingKeyFromSecret(cipher.decrypt(hexToBytes(sealed.ciphertext)))
  } catch {
    return undefined
  }
}

const stretch = (passphrase: string, { salt, ...cost }: SealedKey['kdf']): Uint8Array =>
  scrypt(passphrase.normalize('NFKC'), hexToBytes(salt), { ...cost, dkLen: 32 })

const authenticated = ({ version, did, kdf }: Pick<SealedKey, 'version' | 'did' | 'kdf'>): Uint8Array => {
  const { N, r, p, salt } = kdf
  return new TextEncoder().encode(JSON.stringify([version, did, N, r, p, salt]))
}
