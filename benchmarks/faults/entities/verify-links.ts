import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { JsonValue } from '@sibyl/protocol'

/** A link of an entity's chain of hashes, as `GET /v1/entities/:did/proof` gives it. */
export interface ProofLink {
  readonly did: string
  readonly version: number
  readonly kind: string
  readonly at: string
  readonly by: string
  readonly change: JsonValue
  readonly previousHash: string
  readonly hash: string
  readonly signature: string
  readonly signer: string
}

/** The part of the oracle's DID document that an independent verifier needs. */
export interface KeyDocument {
  readonly verificationMethod: readonly { readonly publicKeyMultibase: string }[]
}

/**
 * Makes what verifies chains as a stranger would, by the decision page on the chain of hashes: with nothing of the oracle's
 * own code, and the keys of its DID document alone.
 *
 * @returns a function that gives the number of the first link that does not hold; undefined where all do
 */
export const linkVerifier = (document: KeyDocument) => {
  const keys = new Map<string, KeyObject>(
    document.verificationMethod.map(({ publicKeyMultibase }) => [
      `did:key:${publicKeyMultibase}`,
      keyOf(publicKeyMultibase),
    ]),
  )
  return (links: readonly ProofLink[]): number | undefined => {
    let previousHash = ''
    for (const [index, link] of links.entries()) {
      const key = keys.get(link.signer)
      const isWhole =
        key !== undefined &&
        link.version === index + 1 &&
        link.previousHash === previousHash &&
        hashOf(link) === link.hash &&
        link.signature.startsWith('u') &&
        verify(null, Buffer.from(link.hash, 'hex'), key, Buffer.from(link.signature.slice(1), 'base64url'))
      if (!isWhole) return link.version
      previousHash = link.hash
    }
    return undefined
  }
}

const hashOf = ({ did, version, kind, at, by, change, previousHash }: ProofLink): string =>
  createHash('sha256').update(canonical({ did, version, kind, at, by, change, previousHash })).digest('hex')

/** Canonical JSON (RFC 8785): members by the UTF-16 units of their names, numbers and texts as ECMAScript writes them. */
const canonical = (value: JsonValue): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member as JsonValue)}`).join(',')}}`
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The Ed25519 key of a multibase text: `z`, and in base58btc the bytes ed 01 and the key. */
const keyOf = (multibase: string): KeyObject => {
  const number = [...multibase.slice(1)].reduce((sum, digit) => sum * 58n + BigInt(base58.indexOf(digit)), 0n)
  const hex = number.toString(16)
  if (!multibase.startsWith('z') || hex.length !== 68 || !hex.startsWith('ed01')) {
    throw new Error(`no Ed25519 key: ${multibase}`)
  }
  const x = Buffer.from(hex.slice(4), 'hex').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
