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
export function hasSmallOrder(publicKey: Uint8Array): boolean {
  const bytes = publicKey.with(31, publicKey[31]! & 0x7f)
  return Y_COORDINATES.includes(Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(''))
}
