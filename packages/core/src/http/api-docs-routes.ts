import { randomBytes } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { Route } from '@sibyl/plugin'
import type { DocsAsset } from './api-docs/docs-assets.ts'
import type { PublishedDocument } from './api-docs/published-document.ts'
import { coreRoute } from './core-route.ts'
import { problemResponse } from './problem-response.ts'

/** Dependencies of the routes of the API documentation. */
export interface ApiDocsParts {
  /** The name of the oracle, for the title of the page. */
  readonly name: string
  /** Returns the current OpenAPI document. */
  readonly document: () => Promise<PublishedDocument>
}

/** `GET /openapi.json`, `GET /docs`, and the files of that page. */
export const apiDocsRoutes = ({ name, document }: ApiDocsParts): Route[] => {
  const assets = keepAssets()
  return [
    coreRoute.get(
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
        if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
        return c.body(text, 200, { ...headers, 'content-type': 'application/json' })
      },
    ),
    coreRoute.get(
      '/docs',
      {
        auth: 'public',
        tags: ['Oracle'],
        summary: 'This API as an interactive page',
        ok: { 200: { description: 'The page', content: { 'text/html': { schema: z.string() } } } },
      },
      async c => {
        const { docsPage, pagePolicy } = await import('./api-docs/docs-page.ts')
        const nonce = randomBytes(18).toString('base64')
        return c.body(docsPage({ name, nonce, files: (await assets()).map(({ file }) => file) }), 200, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': pagePolicy(nonce),
          'cache-control': 'no-store',
        })
      },
    ),
    coreRoute.get(
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
        errors: [{ code: 'route_not_found', status: 404 }],
      },
      async c => {
        const { file } = c.req.valid('param')
        const asset = (await assets()).find(one => one.file === file)
        if (!asset) {
          return problemResponse(c, { status: 404, code: 'route_not_found', detail: 'The page has no such file.' })
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
    kept ??= import('./api-docs/docs-assets.ts')
      .then(({ docsAssets }) => docsAssets())
      .catch((error: unknown) => {
        kept = undefined
        throw error
      })
    return kept
  }
}

/** Returns whether the caller has the current version (RFC 9110, 13.1.2). */
const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some(one => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')

const acceptsGzip = (acceptEncoding: string | undefined): boolean =>
  (acceptEncoding ?? '').split(',').some(one => /^\s*(gzip|\*)\s*(;\s*q=(1(\.0*)?|0?\.\d*[1-9]\d*)\s*)?$/i.test(one))
