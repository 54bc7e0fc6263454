import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { toBase58 } from '@sibyl/plugin'

/** Key pairs by name; two are too weak. */
export const keyPairs = {
  Ed25519: generateKeyPairSync('ed25519'),
  'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  secp256k1: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  'P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  RSA: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'RSA of 1024 bits': generateKeyPairSync('rsa', { modulusLength: 1024 }),
  'RSA with exponent 3': generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }),
}

type KeyName = keyof typeof keyPairs

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns the public key as a JWK. */
export const jwkOf = (name: KeyName) => keyPairs[name].publicKey.export({ format: 'jwk' })

/** Returns the did:jwk of a key. */
export const didJwk = (name: KeyName, more: object = {}): string => `did:jwk:${base64url({ ...jwkOf(name), ...more })}`

/** Returns the did:key of an elliptic key. */
export const didKey = (name: 'P-256' | 'secp256k1'): string => {
  const { x = '', y = '' } = jwkOf(name)
  const codec = name === 'P-256' ? [0x80, 0x24] : [0xe7, 0x01]
  const parity = 2 + (Buffer.from(y, 'base64url').at(-1)! & 1)
  return `did:key:z${toBase58(Buffer.from([...codec, parity, ...Buffer.from(x, 'base64url')]))}`
}

const ecdsa = (key: KeyObject, bytes: Buffer) => sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' })

/** Signs as each algorithm. Those that are not accepted are among them. */
const signers: Record<string, (key: KeyObject, bytes: Buffer) => Buffer> = {
  EdDSA: (key, bytes) => sign(null, bytes, key),
  ES256: ecdsa,
  ES256K: ecdsa,
  ES384: (key, bytes) => sign('sha384', bytes, { key, dsaEncoding: 'ieee-p1363' }),
  RS256: (key, bytes) => sign('sha256', bytes, key),
  RS1: (key, bytes) => sign('sha1', bytes, key),
  PS256: (key, bytes) =>
    sign('sha256', bytes, {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
  none: () => Buffer.alloc(1),
}

/** Signs a JWT. @param as The algorithm that signs, if the header names another. */
export const jwtOf = (alg: string, name: KeyName, payload: object, as = alg): string => {
  const signed = `${base64url({ alg, typ: 'JWT' })}.${base64url(payload)}`
  return `${signed}.${signers[as]!(keyPairs[name].privateKey, Buffer.from(signed)).toString('base64url')}`
}

/** Signs a JWT with a public key as the secret. */
export const hmacOf = (name: KeyName, payload: object): string => {
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(payload)}`
  const secret = keyPairs[name].publicKey.export({ format: 'pem', type: 'spki' })
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
