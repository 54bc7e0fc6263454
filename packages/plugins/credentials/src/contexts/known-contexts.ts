/** The base context of W3C Verifiable Credentials Data Model 2.0. It comes first in every credential. */
export const credentialsContext = 'https://www.w3.org/ns/credentials/v2'

/** The base context of Data Model 1.1. */
export const earlierContext = 'https://www.w3.org/2018/credentials/v1'

/**
 * The context for terms that no other context defines (W3C Verifiable Credentials Data Model 2.0 §5.2). It always comes
 * last.
 */
export const undefinedTermsContext = 'https://www.w3.org/ns/credentials/undefined-terms/v2'

/** Contexts of proofs and status lists in Data Model 1.1. Their documents are not bundled, so eddsa-rdfc-2022 does not read them. */
const earlierContexts = ['https://w3id.org/security/data-integrity/v2', 'https://w3id.org/vc/status-list/2021/v1']

/** Contexts that are always known. They come from the package `@digitalbazaar/credentials-context`; none is fetched. */
const bundledContexts: readonly string[] = [credentialsContext, earlierContext, undefinedTermsContext]

export type ContextLoader = (url: string) => Promise<object>

/** Loads bundled contexts on first use, and rejects all others. */
export const loadBundledContext: ContextLoader = async url => {
  if (!bundledContexts.includes(url)) throw new Error(`the context ${url.slice(0, 200)} is unknown here`)
  const { contexts } = await import('@digitalbazaar/credentials-context')
  const context = contexts.get(url)
  if (context === undefined) throw new Error(`the context ${url} is not bundled`)
  return context
}

/** Contexts by URL, with their documents if given. */
export type FurtherContexts = ReadonlyMap<string, object | undefined>

/** Contexts that documents may use. */
export interface KnownContexts {
  readonly urls: readonly string[]
  readonly load: ContextLoader
}

/** Combines the bundled contexts with those of the operator. */
export const knownContexts = (further: FurtherContexts = new Map()): KnownContexts => ({
  urls: [...bundledContexts, ...earlierContexts, ...further.keys()],
  async load(url) {
    if (bundledContexts.includes(url) || !further.has(url)) return loadBundledContext(url)
    const document = further.get(url)
    if (document !== undefined) return document
    throw new Error(`the context ${url.slice(0, 200)} is listed without a file; eddsa-rdfc-2022 needs one`)
  },
})
