import { constants, verify } from 'node:crypto'
import type { PublicKey } from './public-keys.ts'

/** Accepted algorithms (RFC 7518, 8037, 8812, 9864), with the kind of their keys. */
const algorithms = {
  EdDSA: { kind: 'Ed25519', digest: null, options: {} },
  Ed25519: { kind: 'Ed25519', digest: null, options: {} },
  ES256: { kind: 'P-256', digest: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  ES256K: { kind: 'secp256k1', digest: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  RS256: { kind: 'RSA', digest: 'sha256', options: { padding: constants.RSA_PKCS1_PADDING } },
  PS256: { kind: 'RSA', digest: 'sha256', options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } },
} as const satisfies Record<
  string,
  { readonly kind: PublicKey['kind']; readonly digest: string | null; options: object }
>

/** An algorithm of a JWT that is verified here. */
export type JwsAlgorithm = keyof typeof algorithms

/** The names of the algorithms. */
export const jwsAlgorithms = Object.keys(algorithms) as readonly JwsAlgorithm[]

/** Returns the kind of key that an algorithm needs. */
export const keyKindOf = (alg: JwsAlgorithm): PublicKey['kind'] => algorithms[alg].kind

/** Verifies the signature of a JWT. False also for a key of another kind than the algorithm. */
export const verifyJws = (alg: JwsAlgorithm, { kind, key }: PublicKey, signed: Uint8Array, signature: Uint8Array) => {
  const { kind: needed, digest, options } = algorithms[alg]
  return kind === needed && verify(digest, signed, { key, ...options }, signature)
}
