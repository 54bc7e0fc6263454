import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import { Ed25519SigningKey, type OpenedSecret, type SigningKey } from './signing-key.ts'

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Makes a signing key from fresh random bytes.
 *
 * @example
 * const key = createSigningKey()
 * await writeFile(path, key.exportSecret(), { mode: 0o600 })
 */
export function createSigningKey(): SigningKey {
  return signingKeyFromSecret(randomBytes(32))
}

/**
 * Makes the signing key of a known secret.
 *
 * @param secret 32 bytes, as `exportSecret` gave them; copied
 * @throws InvalidSecretError (`secret_invalid`) when it is not 32 bytes
 */
export function signingKeyFromSecret(secret: Uint8Array): SigningKey {
  return new Ed25519SigningKey(secret, openSecret)
}

function openSecret(secret: Uint8Array): OpenedSecret {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, secret]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  return { publicKey: Uint8Array.from(publicKey), sign: bytes => Uint8Array.from(sign(null, bytes, privateKey)) }
}
