import { undefinedTermsContext } from '../contexts/bundled-contexts.ts'
import type { JsonObject } from '../proofs/data-integrity-proof.ts'

/**
 * What is wrong with the contexts of a document: they say what its words mean, so that none may be one that is not known
 * (W3C Data Integrity 1.0 §4.6), nor stand inside it where it changes the meaning of a part.
 *
 * @param known URLs
 * @returns undefined when nothing is
 */
export const contextFault = (document: JsonObject, known: readonly string[]): string | undefined => {
  const contexts = [document['@context'] ?? []].flat()
  for (const [place, context] of contexts.entries()) {
    if (typeof context !== 'string')
      return `@context/${place} is no URL; contexts of a document's own are not known here`
    if (!known.includes(context)) return `the context ${context.slice(0, 200)} is not known here, and none is fetched`
    if (context === undefinedTermsContext && place < contexts.length - 1) return `${context} is not the last context`
  }
  const { '@context': _, proof: __, ...rest } = document
  return hasContext(rest) ? 'there is an @context inside the document' : undefined
}

const hasContext = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '@context') || Object.values(value).some(hasContext))
