import { getPublicKey, hashes, sign } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import { Ed25519SigningKey, type OpenedSecret, type SigningKey } from './signing-key.ts'

/**
 * Makes a signing key from fresh random bytes. Works on pages without `crypto.subtle`, such as plain http in a LAN.
 *
 * @example
 * const key = createSigningKey()
 * const token = await mintInvocation({ key, audience: oracle, resource: `oracle:${oracle}`, abilities: ['chat/send'] })
 */
export function createSigningKey(): SigningKey {
  return signingKeyFromSecret(crypto.getRandomValues(new Uint8Array(32)))
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

/** The library's own SHA-512 is asynchronous and wants `crypto.subtle`; its synchronous slot is filled here. */
function openSecret(secret: Uint8Array): OpenedSecret {
  hashes.sha512 ??= sha512
  return { publicKey: getPublicKey(secret), sign: bytes => sign(bytes, secret) }
}
