import { createHash } from 'node:crypto'
import type { JsonValue } from '@sibyl/protocol'
import type { ContextLoader } from '../contexts/known-contexts.ts'
import type { JsonObject } from '../definitions/json-object.ts'

/** How long a document may be brought into its canonical form, in milliseconds. */
const timeLimitMs = 2000

/** How many values a document may have: each becomes some quads, and sorting them out is what costs. */
export const maxValues = 1000

/**
 * What an `eddsa-rdfc-2022` proof signs (W3C Data Integrity EdDSA Cryptosuites 1.0 §3.2): the hash of the proof's options,
 * then that of the document, both as canonical N-Quads (RDFC-1.0).
 *
 * @param document without its proofs
 * @param options the proof without `proofValue`
 * @returns 64 bytes
 * @throws Error when a term is undefined, a context is not known, it says what it says in other words than a reader of its
 * JSON looks for, it has more than `maxValues` values, or the graph is one that takes too much work
 */
export const rdfcDigest = async (
  document: JsonObject,
  options: JsonObject,
  loadContext: ContextLoader,
): Promise<Uint8Array> => {
  if (valuesOf(document) + valuesOf(options) > maxValues) throw new Error(`it has more than ${maxValues} values`)
  const fault = spellingFault(document) ?? spellingFault(options)
  if (fault !== undefined) throw new Error(fault)
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

const valuesOf = (value: JsonValue): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, item) => sum + valuesOf(item), 1)
    : 1

/**
 * Why a document is not one to verify as RDF. Its signature covers what it means, and JSON-LD has many words for one
 * thing: `validUntil` may as well be a whole URL, or be said of the credential somewhere inside of it. Who reads the JSON,
 * as the checks of this plugin do, would not see it there. So members have the names of the contexts, and what is said of
 * the credential stands at its top.
 *
 * @param document a credential without its proofs, or the options of a proof
 * @returns undefined when there is nothing
 */
export const spellingFault = ({ '@context': _, ...document }: JsonObject): string | undefined =>
  faultIn(document, document.id)

const faultIn = (value: JsonValue, id: JsonValue | undefined, isTop = true): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return firstFault(value, id)
  if (isLanguageText(value)) return undefined
  const names = Object.keys(value)
  const odd = names.find(name => name.startsWith('@') || name.includes(':'))
  if (odd !== undefined) return `the member ${odd.slice(0, 100)} is spelt as a keyword or a URL, not as a term`
  if (!isTop && id !== undefined && value.id === id && names.length > 1) {
    return 'it says something of itself somewhere inside, not at its top'
  }
  return firstFault(Object.values(value), id)
}

const firstFault = (values: readonly JsonValue[], id: JsonValue | undefined): string | undefined => {
  for (const value of values) {
    const fault = faultIn(value, id, false)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** A text in a language (W3C Verifiable Credentials Data Model 2.0 §11.1). */
const isLanguageText = (value: { [name: string]: JsonValue }): boolean =>
  typeof value['@value'] === 'string' &&
  Object.keys(value).every(name => name === '@value' || name === '@language' || name === '@direction')
