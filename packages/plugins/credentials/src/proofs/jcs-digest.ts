import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { JsonObject } from '../definitions/json-object.ts'

/**
 * Returns the 64 bytes that an `eddsa-jcs-2022` proof signs (W3C Data Integrity EdDSA Cryptosuites 1.0 §3.3): the hash
 * of the proof's options, then that of the document, both as canonical JSON (RFC 8785).
 *
 * @param document without its proofs
 * @param options the proof without `proofValue`
 * @throws Error if a text is not valid Unicode
 */
export const jcsDigest = (document: JsonObject, options: JsonObject): Uint8Array =>
  Buffer.concat([sha256(options), sha256(document)])

const sha256 = (value: JsonObject): Buffer =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest()
