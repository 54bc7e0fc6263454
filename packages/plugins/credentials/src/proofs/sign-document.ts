import { toBase58 } from '@sibyl/plugin'
import type { JsonObject } from '../definitions/json-object.ts'
import { jcsDigest } from './jcs-digest.ts'

/** Signer of documents; the only access to the key. */
export interface DocumentSigner {
  /** DID URL of the key: `did:web:example.org#z6Mk…`. */
  readonly verificationMethod: string
  /** Signs the bytes with Ed25519. */
  sign(bytes: Uint8Array): Promise<Uint8Array>
}

/**
 * Adds an `eddsa-jcs-2022` proof to a document (W3C Data Integrity EdDSA Cryptosuites 1.0 §3.3.1).
 *
 * @param document without a proof
 * @param created milliseconds since 1970; written in seconds
 */
export const signDocument = async (
  document: JsonObject,
  created: number,
  { verificationMethod, sign }: DocumentSigner,
): Promise<JsonObject> => {
  const options: JsonObject = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created: dateTimeOf(created),
    verificationMethod,
    proofPurpose: 'assertionMethod',
    '@context': document['@context'] ?? null,
  }
  const signature = await sign(jcsDigest(document, options))
  return { ...document, proof: { ...options, proofValue: `z${toBase58(signature)}` } }
}

/** Returns a time for documents: UTC, in seconds. */
export const dateTimeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`
