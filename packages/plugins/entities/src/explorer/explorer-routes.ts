import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { assetResponse, defineErrors, escapeHtml, htmlResponse, pageAssets, type Route, route } from '@sibyl/plugin'
import { z } from 'zod'

const errors = defineErrors({
  route_not_found: { status: 404, message: 'The explorer has no such file.' },
})

/** The page of the build, with places for the name of the oracle and a nonce. */
const pageFile = 'explorer.html'

/**
 * Returns `GET /explorer` and the files that the page loads, the second app of `@sibyl/console`. The page is static and public;
 * it reads with the key of its reader.
 *
 * @param name The oracle's.
 */
export const explorerRoutes = (name: string): Route[] => {
  const assets = pageAssets(listFiles)
  return [
    route.get(
      '/explorer',
      {
        auth: 'public',
        summary: 'A page that shows entities and claims',
        description: 'In development, or with `ENTITIES_EXPLORER=on`. What it shows it reads with an API key.',
        ok: { 200: { description: 'The page', content: { 'text/html': { schema: z.string() } } } },
      },
      async () => {
        const nonce = randomBytes(16).toString('base64')
        const page = (await assets()).find(one => one.name === pageFile)
        const html = Buffer.from(page?.plain() ?? '')
          .toString()
          .replaceAll('{{nonce}}', nonce)
          .replaceAll('{{name}}', () => escapeHtml(name))
        return htmlResponse(html, { policy: policy(nonce), cacheControl: 'no-store' })
      },
    ),
    route.get(
      '/explorer/{file}',
      {
        auth: 'public',
        summary: 'What the page /explorer loads',
        params: z.object({ file: z.string().max(200) }),
        headers: z.object({ 'if-none-match': z.string().max(2000).optional() }),
        rateLimit: false,
        ok: {
          200: {
            description: 'The file',
            content: { 'text/javascript': { schema: z.string() }, 'text/css': { schema: z.string() } },
          },
          304: { description: 'As it was' },
        },
        errors: [errors.route_not_found],
      },
      async c => {
        const { file } = c.req.valid('param')
        const asset = (await assets()).find(one => one.name === file && file !== pageFile)
        if (!asset) throw errors.route_not_found()
        return assetResponse(asset, c.req.raw.headers, { immutable: true })
      },
    ),
  ]
}

/**
 * Scripts come from the oracle alone. Styles with the nonce are those that components add while they run. Text becomes HTML only
 * by the policy `default` of the page, which allows the content of styles.
 */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    'img-src data:',
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')

/** Returns the paths of the files in the build, which a package that runs from source makes at the first request. */
const listFiles = async (): Promise<string[]> => {
  const folder = await builtFolder()
  const names = await readdir(folder)
  return names.filter(name => name.endsWith('.br')).map(name => join(folder, name))
}

const builtFolder = async (): Promise<string> => {
  if (!import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('./static', import.meta.url))
  const script = fileURLToPath(new URL('../../../../../scripts/build-console.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'explorer'])
  return stdout.trim()
}
