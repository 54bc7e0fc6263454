import { createHash } from 'node:crypto'
import type { ContextLoader } from '../contexts/bundled-contexts.ts'
import type { JsonObject } from './data-integrity-proof.ts'

/** How long a document may be brought into its canonical form, in milliseconds. */
const timeLimitMs = 2000

/**
 * What an `eddsa-rdfc-2022` proof signs (W3C Data Integrity EdDSA Cryptosuites 1.0 §3.2): the hash of the proof's options,
 * then that of the document, both as canonical N-Quads (RDFC-1.0).
 *
 * @param document without its proofs
 * @param options the proof without `proofValue`
 * @returns 64 bytes
 * @throws Error when a term is undefined, a context is not known, or the graph is one that takes too much work
 */
export const rdfcDigest = async (
  document: JsonObject,
  options: JsonObject,
  loadContext: ContextLoader,
): Promise<Uint8Array> => {
  const { default: jsonld } = await import('jsonld')
  const signal = AbortSignal.timeout(timeLimitMs)
  const sha256 = async (value: JsonObject): Promise<Buffer> => {
    const quads = await jsonld.canonize(value, {
      algorithm: 'RDFC-1.0',
      format: 'application/n-quads',
      safe: true,
      base: null,
      documentLoader: async url => ({ contextUrl: null, documentUrl: url, document: await loadContext(url) }),
      canonizeOptions: { maxWorkFactor: 1, signal },
    })
    if (quads === '') throw new Error('the document says nothing')
    return createHash('sha256').update(quads).digest()
  }
  const context = document['@context'] ?? null
  return Buffer.concat([await sha256({ ...options, '@context': context }), await sha256(document)])
}
