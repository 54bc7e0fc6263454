import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { publicKeyFromDid } from './did-key.ts'

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * Verifies the signature of a message by a DID (Ed25519, RFC 8032; the malleable form S + L is rejected).
 *
 * @param did a `did:key` of an Ed25519 key; false for any other DID
 * @param bytes the message
 * @param signature 64 bytes; false for any other length
 */
export function verifySignature(did: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  const key = openPublicKey(did)
  return key !== undefined && verify(null, bytes, key, signature)
}

/**
 * Opens the public key of a `did:key` for node:crypto.
 *
 * @returns undefined when the DID is not a `did:key` of an Ed25519 key
 */
export function openPublicKey(did: string): KeyObject | undefined {
  const publicKey = publicKeyFromDid(did)
  if (publicKey === undefined) return undefined
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' })
}
