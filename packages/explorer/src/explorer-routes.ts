import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { assetResponse, defineErrors, htmlResponse, pageAssets, pagePolicy, type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { explorerPage } from './explorer-page.ts'

const errors = defineErrors({
  route_not_found: { status: 404, message: 'The explorer has no such file.' },
})

/**
 * Returns `GET /explorer` and the files that the page loads. The page is static and public; it reads with the key of its reader.
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
      () => htmlResponse(explorerPage(name), { policy: pagePolicy() }),
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
        errors: [errors.route_not_found],
      },
      async c => {
        const { file } = c.req.valid('param')
        const asset = (await assets()).find(one => one.name === file)
        if (!asset) throw errors.route_not_found()
        return assetResponse(asset, c.req.raw.headers)
      },
    ),
  ]
}

/**
 * Returns the paths of the page's files by `imports` of package.json: zipped in `dist`, with the script as one file; a file
 * for each module when the package runs from source.
 */
const listFiles = async (): Promise<string[]> => {
  const { resolve } = createRequire(import.meta.url)
  const [script, style] = [resolve('#explorer/app.js'), resolve('#explorer/style.css')]
  if (script.endsWith('.gz')) return [script, style]
  const folder = dirname(script)
  const names = await readdir(folder)
  const modules = names.filter(name => name.endsWith('.js') && !name.includes('.test.'))
  return [...modules.map(name => join(folder, name)), style]
}
