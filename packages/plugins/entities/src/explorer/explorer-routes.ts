import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { entitiesErrors } from '../entities-errors.ts'
import { type ExplorerAsset, explorerAssets } from './explorer-assets.ts'
import { explorerPage, explorerPolicy } from './explorer-page.ts'

/**
 * `GET /explorer`, and what the page loads. The page is static and public; it shows what the key of its reader may read.
 *
 * @param name The oracle's.
 */
export const explorerRoutes = (name: string): Route[] => {
  const assets = keepAssets()
  return [
    route.get(
      '/explorer',
      {
        auth: 'public',
        summary: 'A page that shows entities and claims',
        description: 'In development, or with `ENTITIES_EXPLORER=on`. What it shows it reads with an API key.',
        ok: { 200: { description: 'The page', content: { 'text/html': { schema: z.string() } } } },
      },
      c =>
        c.body(explorerPage(name), 200, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': explorerPolicy,
          'cache-control': 'no-cache',
        }),
    ),
    route.get(
      '/explorer/{file}',
      {
        auth: 'public',
        summary: 'What the page /explorer loads',
        params: z.object({ file: z.string().max(200) }),
        headers: z.object({ 'if-none-match': z.string().max(2000).optional() }),
        ok: {
          200: {
            description: 'The file',
            content: { 'text/javascript': { schema: z.string() }, 'text/css': { schema: z.string() } },
          },
          304: { description: 'As it was' },
        },
        errors: [entitiesErrors.route_not_found],
      },
      async c => {
        const asset = (await assets()).get(c.req.valid('param').file)
        if (!asset) throw entitiesErrors.route_not_found()
        const headers = { etag: asset.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
        if (c.req.header('if-none-match') === asset.etag) return c.body(null, 304, headers)
        const zipped = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(c.req.header('accept-encoding') ?? '')
        return c.body(new Uint8Array(zipped ? asset.zipped : asset.plain()), 200, {
          ...headers,
          'content-type': asset.type,
          ...(zipped ? { 'content-encoding': 'gzip' } : {}),
        })
      },
    ),
  ]
}

/** Reads the page's files at the first call, and keeps them. */
const keepAssets = (): (() => Promise<ReadonlyMap<string, ExplorerAsset>>) => {
  let kept: Promise<ReadonlyMap<string, ExplorerAsset>> | undefined
  return () => {
    kept ??= explorerAssets().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }
}
