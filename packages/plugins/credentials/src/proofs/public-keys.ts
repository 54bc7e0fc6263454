import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto'
import { didKeyDocument, fromBase58, toBase58 } from '@sibyl/plugin'
import { z } from 'zod'

/** A public key for signatures. */
export interface PublicKey {
  readonly kind: 'Ed25519' | 'P-256' | 'secp256k1' | 'RSA'
  readonly key: KeyObject
}

/** Multicodecs of keys, and what their bytes have before them as DER. An elliptic point is compressed: 33 bytes. */
const kinds = [
  { kind: 'Ed25519', codec: 'ed01', before: '302a300506032b6570032100', bytes: 32 },
  { kind: 'P-256', codec: '8024', before: '3039301306072a8648ce3d020106082a8648ce3d030107032200', bytes: 33 },
  { kind: 'secp256k1', codec: 'e701', before: '3036301006072a8648ce3d020106052b8104000a032200', bytes: 33 },
  { kind: 'RSA', codec: '8524', before: '', bytes: undefined },
] as const

/** Maximum length of a key in base58, whose cost grows with its square. RSA keys are longer, and in base64url. */
const maxBase58 = 100

const rsaBits = { min: 2048, max: 4096, minExponent: 65_537n } as const

/** Opens a key in multibase, `z` or `u`. @returns undefined for an unknown, invalid or weak key */
export const openKey = (multibase: string): PublicKey | undefined => {
  const bytes = bytesOf(multibase)
  const codec = bytes?.subarray(0, 2).toString('hex')
  const found = kinds.find(one => one.codec === codec)
  if (!bytes || !found) return undefined
  const raw = bytes.subarray(2)
  if (found.bytes !== undefined && raw.length !== found.bytes) return undefined
  // Excludes keys of small order.
  if (found.kind === 'Ed25519' && !didKeyDocument(`did:key:z${toBase58(bytes)}`)) return undefined
  try {
    const der = Buffer.concat([Buffer.from(found.before, 'hex'), raw])
    const key = createPublicKey({ key: der, format: 'der', type: found.kind === 'RSA' ? 'pkcs1' : 'spki' })
    return found.kind !== 'RSA' || isStrong(key) ? { kind: found.kind, key } : undefined
  } catch {
    return undefined
  }
}

const bytesOf = (multibase: string): Buffer | undefined => {
  if (/^u[\w-]{1,800}$/.test(multibase)) return Buffer.from(multibase.slice(1), 'base64url')
  const bytes = multibase.startsWith('z') && multibase.length <= maxBase58 ? fromBase58(multibase.slice(1)) : undefined
  return bytes && Buffer.from(bytes)
}

const isStrong = ({ asymmetricKeyDetails: { modulusLength = 0, publicExponent = 0n } = {} }: KeyObject): boolean =>
  modulusLength >= rsaBits.min && modulusLength <= rsaBits.max && publicExponent >= rsaBits.minExponent

const coordinate = z.string().max(100).optional()

/** A JSON Web Key, without private members. */
const jsonWebKey = z.object({
  kty: z.string().max(20),
  crv: z.string().max(20).optional(),
  x: coordinate,
  y: coordinate,
  n: z.string().max(700).optional(),
  e: z.string().max(8).optional(),
})

/** Returns a JSON Web Key as multibase. @returns undefined for an unknown or invalid key */
export const multibaseOf = (jwk: unknown): string | undefined => {
  const parsed = jsonWebKey.safeParse(jwk)
  if (!parsed.success) return undefined
  try {
    const key = createPublicKey({ key: parsed.data as JsonWebKeyInput['key'], format: 'jwk' })
    const { crv = 'RSA', x = '', y = '' } = key.export({ format: 'jwk' })
    const found = kinds.find(({ kind }) => kind === crv)
    if (!found) return undefined
    const codec = Buffer.from(found.codec, 'hex')
    if (found.kind === 'RSA') {
      return `u${Buffer.concat([codec, key.export({ format: 'der', type: 'pkcs1' })]).toString('base64url')}`
    }
    const sign = found.kind === 'Ed25519' ? [] : [2 + (Buffer.from(y, 'base64url').at(-1)! & 1)]
    return `z${toBase58(Buffer.concat([codec, Buffer.from(sign), Buffer.from(x, 'base64url')]))}`
  } catch {
    return undefined
  }
}
