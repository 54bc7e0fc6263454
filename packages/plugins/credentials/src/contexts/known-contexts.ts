import { bundledContexts, type ContextLoader, loadBundledContext } from './bundled-contexts.ts'

/** Contexts by URL, each with its document if there is one. */
export type FurtherContexts = ReadonlyMap<string, object | undefined>

/** The contexts that documents may use. */
export interface KnownContexts {
  readonly urls: readonly string[]
  readonly load: ContextLoader
}

/** Combines the bundled contexts with those that the operator lists. */
export const knownContexts = (further: FurtherContexts = new Map()): KnownContexts => ({
  urls: [...bundledContexts, ...further.keys()],
  async load(url) {
    if (bundledContexts.includes(url) || !further.has(url)) return loadBundledContext(url)
    const document = further.get(url)
    if (document !== undefined) return document
    throw new Error(`the context ${url.slice(0, 200)} is listed here without a file, which eddsa-rdfc-2022 needs`)
  },
})
