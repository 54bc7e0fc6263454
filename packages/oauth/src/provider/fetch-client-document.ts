import type { Host } from '@sibyl/plugin'
import { type GuardedFetch, guardedFetch } from '@sibyl/plugin/outbound'
import { readClientMetadata } from './client-metadata.ts'

/** Maximum size of the metadata document of a client, in bytes. */
const maxBytes = 5_000

/** Maximum documents that are fetched in a minute; beyond it, those of clients that users are signed in to are fetched too. */
const perMinute = { ofSite: 20, ofAll: 300 } as const

/** Dependencies of the fetch. */
export interface ClientDocumentParts {
  readonly host: Pick<Host, 'limits' | 'identity'>
  /** Returns the network of the request. */
  readonly site: () => string | undefined
  /** Returns whether a user is signed in to the client with this URL. */
  readonly isInUse: (client: string) => Promise<boolean>
  readonly fetch: GuardedFetch | undefined
}

/**
 * Returns the `fetch` of the authorization server, for metadata documents of clients alone: capped by network, and only to public
 * addresses.
 */
export const fetchClientDocument =
  ({ host: { limits, identity }, site, isInUse, fetch = guardedFetch }: ClientDocumentParts) =>
  async (url: string | URL | Request): Promise<Response> => {
    const id = String(url)
    const name = 'client-documents'
    const isAllowed =
      (await limits.take({ name, key: `site ${site()}`, perMinute: perMinute.ofSite })).allowed &&
      (await limits.take({ name, key: 'all', perMinute: perMinute.ofAll })).allowed
    if (!isAllowed && !(await isInUse(id))) return new Response(null, { status: 429 })
    const { status, headers, body, isComplete } = await fetch(id, {
      headers: { accept: 'application/json' },
      maxBytes,
      maxRedirects: 0,
      timeLimitMs: 2_500,
    })
    if (status !== 200 || !isComplete) return new Response(null, { status: 502 })
    const document: unknown = JSON.parse(new TextDecoder().decode(body))
    const metadata = readClientMetadata(document, identity.url)
    if (!metadata) return new Response(null, { status: 502 })
    const cacheControl = headers.get('cache-control')
    return Response.json(
      { ...metadata, client_id: (document as { readonly client_id?: unknown }).client_id },
      { headers: cacheControl === null ? {} : { 'cache-control': cacheControl } },
    )
  }
