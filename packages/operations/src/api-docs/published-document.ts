import { createHash } from 'node:crypto'
import type { CorePorts } from '@sibyl/core/ports'

/** The serialized OpenAPI document. */
export interface PublishedDocument {
  /** JSON. */
  readonly text: string
  /** A strong entity tag (RFC 9110). */
  readonly etag: string
}

/**
 * Creates the document at the first call, and again when the URL of the oracle changes: its port is known only when it
 * listens.
 */
export const publishDocument = (ports: CorePorts): (() => Promise<PublishedDocument>) => {
  let published: { readonly url: string; readonly document: Promise<PublishedDocument> } | undefined
  return () => {
    const url = ports.url()
    if (published?.url !== url) published = { url, document: makeDocument(ports, url) }
    return published.document
  }
}

const makeDocument = async (ports: CorePorts, url: string): Promise<PublishedDocument> => {
  const { describeApi } = await import('./describe-api.ts')
  const document = await describeApi({
    oracle: ports.oracleRecord(),
    url,
    routes: ports.routes(),
    plugins: ports.plugins().map(({ name, manifest }) => ({ name, summary: manifest.summary })),
    log: ports.log,
  })
  const text = JSON.stringify(document)
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` }
}
