import type { Host } from '@sibyl/plugin'
import { type GuardedFetch, guardedFetch } from '@sibyl/plugin/outbound'
import { readClientMetadata } from './client-metadata.ts'

/** Maximum size of the metadata document of a client, in bytes. */
const maxBytes = 5_000

/** Maximum documents that are fetched in a minute; beyond it, those of clients that users are signed in to are fetched too. */
const perMinute = 60

/**
 * Returns the `fetch` of the authorization server, for metadata documents of clients alone: capped, and only to public addresses.
 *
 * @param isInUse Returns whether a user is signed in to the client with this URL.
 */
export const fetchClientDocument =
  (host: Pick<Host, 'limits'>, isInUse: (client: string) => Promise<boolean>, fetch: GuardedFetch = guardedFetch) =>
  async (url: string | URL | Request): Promise<Response> => {
    const { allowed } = await host.limits.take({ name: 'client-documents', key: 'all', perMinute })
    const id = String(url)
    if (!allowed && !(await isInUse(id))) return new Response(null, { status: 429 })
    const { status, headers, body, isComplete } = await fetch(id, {
      headers: { accept: 'application/json' },
      maxBytes,
      maxRedirects: 0,
      timeLimitMs: 2_500,
    })
    if (status !== 200 || !isComplete) return new Response(null, { status: 502 })
    const document: unknown = JSON.parse(new TextDecoder().decode(body))
    const metadata = readClientMetadata(document)
    if (!metadata) return new Response(null, { status: 502 })
    const cacheControl = headers.get('cache-control')
    return Response.json(
      { ...metadata, client_id: (document as { readonly client_id?: unknown }).client_id },
      { headers: cacheControl === null ? {} : { 'cache-control': cacheControl } },
    )
  }
