import { createHash, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { z } from '@hono/zod-openapi'
import type { CorePorts } from '@sibyl/core/ports'
import {
  assetResponse,
  defineErrors,
  htmlResponse,
  isUnchanged,
  pageAssets,
  pagePolicy,
  type Route,
  route,
} from '@sibyl/plugin'

const docsErrors = defineErrors({ route_not_found: { status: 404, message: 'The page has no such file.' } })

/** The files of the page, in order; `imports` of package.json selects their location. */
const names = ['swagger-ui.css', 'page.css', 'swagger-ui.js', 'page.js'] as const

/** `GET /openapi.json`, `GET /docs`, and the files of that page. */
export const apiDocsRoutes = (ports: CorePorts): Route[] => {
  const document = publishDocument(ports)
  const { resolve } = createRequire(import.meta.url)
  const assets = pageAssets(() => names.map(name => ({ name, path: resolve(`#api-docs/${name}`) })))
  return [
    route.get(
      '/openapi.json',
      {
        auth: 'public',
        tags: ['Oracle'],
        summary: 'This API as an OpenAPI 3.1 document',
        description: 'With `If-None-Match` it is sent only where it has changed.',
        headers: z.object({ 'if-none-match': z.string().max(2000).optional() }),
        ok: {
          200: { description: 'The document', schema: z.looseObject({}) },
          304: { description: 'Unchanged' },
        },
      },
      async c => {
        const { text, etag } = await document()
        const headers = { etag, 'cache-control': 'no-cache' }
        if (isUnchanged(c.req.raw.headers, etag)) return c.body(null, 304, headers)
        return c.body(text, 200, { ...headers, 'content-type': 'application/json' })
      },
    ),
    route.get(
      '/docs',
      {
        auth: 'public',
        tags: ['Oracle'],
        summary: 'This API as an interactive page',
        ok: { 200: { description: 'The page', content: { 'text/html': { schema: z.string() } } } },
      },
      async () => {
        const { docsPage } = await import('./docs-page.ts')
        const nonce = randomBytes(18).toString('base64')
        const files = (await assets()).map(({ hashedName }) => hashedName)
        return htmlResponse(docsPage({ name: ports.env.ORACLE_NAME, nonce, files }), {
          policy: pagePolicy({ nonce }),
          cacheControl: 'no-store',
        })
      },
    ),
    route.get(
      '/docs/{file}',
      {
        auth: 'public',
        tags: ['Oracle'],
        summary: 'A file of the page /docs',
        description: 'The name of a file contains a hash of its content.',
        params: z.object({ file: z.string().max(200) }),
        ok: {
          200: {
            description: 'The file',
            content: { 'text/javascript': { schema: z.string() }, 'text/css': { schema: z.string() } },
          },
        },
        errors: [docsErrors.route_not_found],
      },
      async c => {
        const { file } = c.req.valid('param')
        const asset = (await assets()).find(({ hashedName }) => hashedName === file)
        if (!asset) throw docsErrors.route_not_found()
        return assetResponse(asset, c.req.raw.headers, { immutable: true })
      },
    ),
  ]
}

/** The serialized OpenAPI document. */
interface PublishedDocument {
  /** JSON. */
  readonly text: string
  /** A strong entity tag (RFC 9110). */
  readonly etag: string
}

/**
 * Creates the document at the first call, and again when the URL of the oracle changes: its port is known only when it
 * listens.
 */
const publishDocument = (ports: CorePorts): (() => Promise<PublishedDocument>) => {
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
