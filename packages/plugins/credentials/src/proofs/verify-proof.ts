import { fromBase58, verifySignature } from '@sibyl/plugin'
import type { ContextLoader } from '../contexts/known-contexts.ts'
import type { JsonObject } from '../definitions/json-object.ts'
import type { DataIntegrityProof } from './data-integrity-proof.ts'
import { jcsDigest } from './jcs-digest.ts'
import { rdfcDigest } from './rdfc-digest.ts'

/** Result of a proof's verification; the detail is safe to show. */
export type ProofVerdict = { readonly ok: true } | { readonly ok: false; readonly detail: string }

/**
 * Verifies the signature of a proof with a key (W3C Data Integrity EdDSA Cryptosuites 1.0 §3.2.2 and §3.3.2). It does
 * not check times, purpose and ownership of the key.
 *
 * @param document without its proofs
 * @param publicKeyMultibase an Ed25519 key: `z6Mk…`
 */
export const verifyProof = async (
  document: JsonObject,
  proof: DataIntegrityProof,
  publicKeyMultibase: string,
  loadContext: ContextLoader,
): Promise<ProofVerdict> => {
  const signature = fromBase58(proof.proofValue.slice(1))
  if (signature?.length !== 64) return { ok: false, detail: 'proofValue is not a signature of 64 bytes' }
  const { proofValue: _, ...options } = proof as JsonObject & DataIntegrityProof
  const digest = await digestOf(document, options as JsonObject, proof.cryptosuite, loadContext)
  if ('detail' in digest) return { ok: false, detail: digest.detail }
  return verifySignature(`did:key:${publicKeyMultibase}`, digest.bytes, signature)
    ? { ok: true }
    : { ok: false, detail: 'the signature does not match this key and document' }
}

const digestOf = async (
  document: JsonObject,
  options: JsonObject,
  cryptosuite: DataIntegrityProof['cryptosuite'],
  loadContext: ContextLoader,
): Promise<{ readonly bytes: Uint8Array } | { readonly detail: string }> => {
  try {
    if (cryptosuite === 'eddsa-rdfc-2022') return { bytes: await rdfcDigest(document, options, loadContext) }
    const context = signedContext(document, options)
    if ('detail' in context) return context
    return { bytes: jcsDigest({ ...document, ...context }, options) }
  } catch (error) {
    return { detail: `the document cannot be made canonical: ${reasonOf(error)}` }
  }
}

/** Returns the signed context: that of the proof if it has one. The document's context must begin with it (§3.3.2). */
const signedContext = (
  document: JsonObject,
  options: JsonObject,
): { readonly '@context'?: JsonObject[string] } | { readonly detail: string } => {
  const proofContext = options['@context']
  if (proofContext === undefined) return {}
  const [given, signed] = [document['@context'], proofContext].map(context => [context ?? null].flat())
  if (!signed!.every((url, place) => url === given![place])) {
    return { detail: 'the @context of the document does not begin with the @context of its proof' }
  }
  return { '@context': proofContext }
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'it cannot be read'
  const { details, cause } = error as { readonly details?: { readonly event?: unknown }; readonly cause?: unknown }
  const event = details?.event as { readonly code?: string; readonly message?: string } | undefined
  const inner = cause ?? (details as { readonly cause?: unknown } | undefined)?.cause
  const text = event?.message ?? (inner instanceof Error ? inner.message : error.message)
  return text.slice(0, 300)
}
