import { createHash } from 'node:crypto'
import type { ApiFacts } from './describe-api.ts'

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
export const publishDocument = (facts: () => ApiFacts): (() => Promise<PublishedDocument>) => {
  let published: { readonly url: string; readonly document: Promise<PublishedDocument> } | undefined
  return () => {
    const now = facts()
    if (published?.url !== now.url) published = { url: now.url, document: makeDocument(now) }
    return published.document
  }
}

const makeDocument = async (facts: ApiFacts): Promise<PublishedDocument> => {
  const { describeApi } = await import('./describe-api.ts')
  const text = JSON.stringify(describeApi(facts))
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` }
}
