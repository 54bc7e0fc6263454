import { randomBytes } from 'node:crypto'
import { assetResponse, defineErrors, htmlResponse, type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import type { AppFiles } from './app-files.ts'
import { consolePage } from './console-page.ts'

const errors = defineErrors({
  route_not_found: { status: 404, message: 'The console has no such file.' },
})

const page = { 200: { description: 'The page', content: { 'text/html': { schema: z.string() } } } }

/** Returns the page at `/console` and below it, and the files that the page loads. All are static and public. */
export const consoleRoutes = (name: string, files: () => Promise<AppFiles>): Route[] => {
  const answer = async (base: string) => {
    const nonce = randomBytes(16).toString('base64')
    const html = consolePage(await files(), { name, base, nonce })
    return htmlResponse(html, { policy: policy(nonce), cacheControl: 'no-store' })
  }
  return [
    route.get(
      '/console',
      {
        auth: 'public',
        summary: 'The console of the oracle',
        description: 'The page has no data. It reads with the rights of the user who signs in.',
        ok: page,
      },
      () => answer('console/'),
    ),
    route.get(
      '/console/build',
      {
        auth: 'public',
        summary: 'The build of the console',
        description: 'An open page compares it with its own, to find out that the oracle has a newer console.',
        ok: {
          200: { description: 'The build', schema: z.object({ build: z.string().meta({ example: '4f2d9c01ab37' }) }) },
        },
      },
      async c => c.json({ build: (await files()).build }, 200, { 'cache-control': 'no-store' }),
    ),
    route.get(
      '/console/assets/{file}',
      {
        auth: 'public',
        summary: 'A file of the console',
        params: z.object({ file: z.string().max(200) }),
        rateLimit: false,
        ok: {
          200: { description: 'The file', content: { 'text/javascript': { schema: z.string() } } },
          304: { description: 'Unchanged' },
        },
        errors: [errors.route_not_found],
      },
      async c => {
        const asset = (await files()).assets.get(c.req.valid('param').file)
        if (!asset) throw errors.route_not_found()
        return assetResponse(asset, c.req.raw.headers, { immutable: true })
      },
    ),
    route.get(
      '/console/{path{.+}}',
      {
        auth: 'public',
        summary: 'A view of the console',
        description: 'The same page, which shows the view of the path.',
        params: z.object({ path: z.string().max(2_000) }),
        ok: page,
      },
      c => answer('../'.repeat(depthOf(new URL(c.req.url).pathname)) || './'),
    ),
  ]
}

/** Returns how many folders below `/console/` a path is. */
const depthOf = (pathname: string): number => pathname.slice(pathname.indexOf('/console/') + 9).split('/').length - 1

/**
 * Scripts come from the oracle alone. Styles with the nonce are those that components add while they run; a style attribute
 * set by script is not subject to the policy. `blob:` are pictures that a user is about to send.
 */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
