import { createHash } from 'node:crypto'
import type { JsonValue } from '@sibyl/protocol'
import type { ContextLoader } from '../contexts/known-contexts.ts'
import type { JsonObject } from '../definitions/json-object.ts'

/** Time limit for making a document canonical, in milliseconds. */
const timeLimitMs = 2000

/** Maximum number of values of a document. Each becomes several quads, and ordering quads is expensive. */
const maxValues = 1000

/**
 * Returns the 64 bytes that an `eddsa-rdfc-2022` proof signs (W3C Data Integrity EdDSA Cryptosuites 1.0 §3.2): the hash
 * of the proof's options, then that of the document, both as canonical N-Quads (RDFC-1.0).
 *
 * @param document without its proofs
 * @param options the proof without `proofValue`
 * @throws Error if a term is undefined, a context is unknown, `formFault` finds a problem, there are more than
 * `maxValues` values, or the graph needs too much work
 */
export const rdfcDigest = async (
  document: JsonObject,
  options: JsonObject,
  loadContext: ContextLoader,
): Promise<Uint8Array> => {
  if (valuesOf(document) + valuesOf(options) > maxValues) throw new Error(`it has more than ${maxValues} values`)
  const violation = formViolation(document) ?? formViolation(options)
  if (violation !== undefined) throw new Error(violation)
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
    if (quads === '') throw new Error('the document has no statements')
    return createHash('sha256').update(quads).digest()
  }
  const context = document['@context'] ?? null
  return Buffer.concat([await sha256({ ...options, '@context': context }), await sha256(document)])
}

const valuesOf = (value: JsonValue): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, item) => sum + valuesOf(item), 1)
    : 1

/**
 * Returns why a document cannot be verified as RDF; undefined if it can. The signature covers its meaning, and JSON-LD
 * has several forms for the same meaning: `validUntil` may be written as a full URL, or inside a nested object. Readers
 * of the JSON, such as the checks of this plugin, would miss it. So members must use the names of the contexts, and
 * statements about the credential must be at its top level.
 *
 * @param document a credential without its proofs, or the options of a proof
 */
const formViolation = ({ '@context': _, ...document }: JsonObject): string | undefined =>
  violationIn(document, document.id)

const violationIn = (value: JsonValue, id: JsonValue | undefined, isTop = true): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return firstViolation(value, id)
  if (isLanguageText(value)) return undefined
  const names = Object.keys(value)
  const odd = names.find(name => name.startsWith('@') || name.includes(':'))
  if (odd !== undefined) return `the member ${odd.slice(0, 100)} is written as a keyword or a URL, not as a term`
  if (!isTop && id !== undefined && value.id === id && names.length > 1) {
    return 'it has a statement about itself inside a nested object'
  }
  return firstViolation(Object.values(value), id)
}

const firstViolation = (values: readonly JsonValue[], id: JsonValue | undefined): string | undefined => {
  for (const value of values) {
    const violation = violationIn(value, id, false)
    if (violation !== undefined) return violation
  }
  return undefined
}

/** Returns whether a value is text with a language (W3C Verifiable Credentials Data Model 2.0 §11.1). */
const isLanguageText = (value: { [name: string]: JsonValue }): boolean =>
  typeof value['@value'] === 'string' &&
  Object.keys(value).every(name => name === '@value' || name === '@language' || name === '@direction')
