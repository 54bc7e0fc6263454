declare module '@digitalbazaar/credentials-context' {
  /** Contexts by URL. */
  export const contexts: ReadonlyMap<string, object>
}

declare module 'jsonld' {
  interface CanonizeOptions {
    algorithm: 'RDFC-1.0'
    format: 'application/n-quads'
    /** Fails if information would be lost, such as an undefined term. */
    safe: true
    base: null
    documentLoader(url: string): Promise<{ contextUrl: null; documentUrl: string; document: object }>
    canonizeOptions: { maxWorkFactor: number; signal: AbortSignal }
  }
  const jsonld: { canonize(document: object, options: CanonizeOptions): Promise<string> }
  export = jsonld
}
