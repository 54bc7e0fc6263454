import { fromBase58, toBase58 } from '../encoding/base58.ts'
import { InvalidPublicKeyError } from './key-errors.ts'

const PREFIX = 'did:key:z'
const ED25519_MULTICODEC = [0xed, 0x01]
const LONGEST_DID = 64

/**
 * Names an Ed25519 public key as a `did:key` (multicodec 0xed01, multibase base58btc).
 *
 * @param publicKey the 32 bytes of the key (RFC 8032)
 * @returns the DID, such as `did:key:z6Mk…`
 * @throws InvalidPublicKeyError (`public_key_invalid`) when it is not 32 bytes
 */
export function didFromPublicKey(publicKey: Uint8Array): string {
  if (publicKey.length !== 32) throw new InvalidPublicKeyError(publicKey.length)
  return PREFIX + toBase58(Uint8Array.of(...ED25519_MULTICODEC, ...publicKey))
}

/**
 * Reads the Ed25519 public key out of a `did:key`.
 *
 * @param did any text
 * @returns the 32 bytes, or undefined when the text is not a `did:key` of an Ed25519 key, or of one of small order
 */
export function publicKeyFromDid(did: string): Uint8Array | undefined {
  if (!did.startsWith(PREFIX) || did.length > LONGEST_DID) return undefined
  const bytes = fromBase58(did.slice(PREFIX.length))
  if (bytes?.length !== 34 || bytes[0] !== ED25519_MULTICODEC[0] || bytes[1] !== ED25519_MULTICODEC[1]) return undefined
  const publicKey = bytes.slice(2)
  return hasSmallOrder(publicKey) ? undefined : publicKey
}

/** The y coordinates, little-endian without the sign of x, of all points whose order divides 8, unreduced ones among them. */
const Y_COORDINATES: readonly string[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]

/**
 * Returns whether a public key is a point of small order. For such a key anyone can create signatures, some of which
 * are valid for every message; not every build of OpenSSL rejects it.
 *
 * @param publicKey the 32 bytes of an Ed25519 key (RFC 8032)
 */
function hasSmallOrder(publicKey: Uint8Array): boolean {
  const bytes = publicKey.with(31, publicKey[31]! & 0x7f)
  return Y_COORDINATES.includes(Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(''))
}
