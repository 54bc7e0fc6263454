import { createHash, randomBytes } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { CorePorts } from '@sibyl/core/ports'
import { defineErrors, isUnchanged, type Route, route } from '@sibyl/plugin'
import type { DocsAsset } from './docs-assets.ts'

const docsErrors = defineErrors({ route_not_found: { status: 404, message: 'The page has no such file.' } })

/** `GET /openapi.json`, `GET /docs`, and the files of that page. */
export const apiDocsRoutes = (ports: CorePorts): Route[] => {
  const document = publishDocument(ports)
  const assets = keepAssets()
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
      async c => {
        const { docsPage, pagePolicy } = await import('./docs-page.ts')
        const nonce = randomBytes(18).toString('base64')
        return c.body(
          docsPage({ name: ports.env.ORACLE_NAME, nonce, files: (await assets()).map(({ file }) => file) }),
          200,
          {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': pagePolicy(nonce),
            'cache-control': 'no-store',
          },
        )
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
        const asset = (await assets()).find(one => one.file === file)
        if (!asset) {
          throw docsErrors.route_not_found()
        }
        const zipped = acceptsGzip(c.req.header('accept-encoding'))
        return c.body(new Uint8Array(zipped ? asset.zipped : asset.plain()), 200, {
          'content-type': asset.type,
          ...(zipped ? { 'content-encoding': 'gzip' } : {}),
          vary: 'accept-encoding',
          'cache-control': 'public, max-age=31536000, immutable',
        })
      },
    ),
  ]
}

/** Reads the files of the page at the first call, and caches them. */
const keepAssets = (): (() => Promise<readonly DocsAsset[]>) => {
  let kept: Promise<readonly DocsAsset[]> | undefined
  return () => {
    kept ??= import('./docs-assets.ts')
      .then(({ docsAssets }) => docsAssets())
      .catch((error: unknown) => {
        kept = undefined
        throw error
      })
    return kept
  }
}

const acceptsGzip = (acceptEncoding: string | undefined): boolean =>
  (acceptEncoding ?? '').split(',').some(one => /^\s*(gzip|\*)\s*(;\s*q=(1(\.0*)?|0?\.\d*[1-9]\d*)\s*)?$/i.test(one))

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
