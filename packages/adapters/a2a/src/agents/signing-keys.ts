import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto'
import { publicKeyFromDid } from '@sibyl/plugin/host'
import { z } from 'zod'

/** A JSON Web Key, as far as keys of cards have it. */
const jwk = z.object({
  kid: z.string().max(2_000).optional(),
  kty: z.enum(['OKP', 'EC', 'RSA']),
  crv: z.string().max(20).optional(),
  x: z.string().max(200).optional(),
  y: z.string().max(200).optional(),
  n: z.string().max(2_000).optional(),
  e: z.string().max(20).optional(),
})

/** A JSON Web Key Set. */
export const keySet = z.object({ keys: z.array(z.unknown()).max(100) })

const reference = z.union([z.string(), z.object({ id: z.string() })])

/** A DID document, as far as its keys are used. */
export const didDocument = z.object({
  id: z.string(),
  verificationMethod: z
    .array(
      z.object({
        id: z.string(),
        publicKeyMultibase: z.string().max(200).optional(),
        publicKeyJwk: z.unknown().optional(),
      }),
    )
    .max(100)
    .optional(),
  authentication: z.array(reference).max(100).optional(),
  assertionMethod: z.array(reference).max(100).optional(),
})

/** Returns the key of a did:key; undefined for another kind of key. */
export const keyOfDid = (did: string): KeyObject | undefined => {
  const bytes = publicKeyFromDid(did)
  if (!bytes) return undefined
  const x = Buffer.from(bytes).toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

const keyOfJwk = (value: unknown): KeyObject | undefined => {
  const { data } = jwk.safeParse(value)
  if (!data) return undefined
  try {
    return createPublicKey({ key: data as JsonWebKeyInput['key'], format: 'jwk' })
  } catch {
    return undefined
  }
}

/** Returns the key with that id in a JSON Web Key Set. */
export const keyInSet = ({ keys }: z.output<typeof keySet>, kid: string): KeyObject | undefined =>
  keyOfJwk(keys.find(key => jwk.safeParse(key).data?.kid === kid))

/** Returns the key with that id in a DID document, unless it only stands there for signatures from before. */
export const keyInDocument = (document: z.output<typeof didDocument>, kid: string): KeyObject | undefined => {
  const { id: did, verificationMethod = [], authentication, assertionMethod = [] } = document
  const isKid = (id: string) => id === kid || `${did}${id}` === kid
  const current = (authentication ?? assertionMethod).some(one => isKid(typeof one === 'string' ? one : one.id))
  const method = current ? verificationMethod.find(({ id }) => isKid(id)) : undefined
  if (!method) return undefined
  return method.publicKeyMultibase ? keyOfDid(`did:key:${method.publicKeyMultibase}`) : keyOfJwk(method.publicKeyJwk)
}
