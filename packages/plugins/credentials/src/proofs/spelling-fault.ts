import type { JsonValue } from '@sibyl/protocol'
import type { JsonObject } from './data-integrity-proof.ts'

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
