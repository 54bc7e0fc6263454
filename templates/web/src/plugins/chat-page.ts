import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  assetResponse,
  defineErrors,
  definePlugin,
  htmlResponse,
  type PageAsset,
  pageAssets,
  pagePolicy,
  route,
} from '@sibyl/plugin'
import { z } from 'zod'

const errors = defineErrors({
  page_not_built: { status: 404, message: 'The page is not built. Run the script `page` of package.json.' },
  page_file_not_found: { status: 404, message: 'The page has no such file.' },
})

/**
 * Serves the page that the script `page` builds from `web/`: at `/app`, with a policy that allows its own files and this
 * oracle alone.
 *
 * @param folder Where the built page is.
 */
export const chatPage = (folder = new URL('../../web/dist/', import.meta.url)) =>
  definePlugin({
    name: 'chat-page',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Chat page', summary: 'Serves the page at /app.', whenToUse: ['never in a conversation'] },
    setup() {
      const assets = pageAssets(async () => {
        const names = await readdir(folder).catch((): string[] => [])
        if (!names.includes('index.html')) throw errors.page_not_built()
        return names.map(name => fileURLToPath(new URL(encodeURIComponent(name), folder)))
      })
      const file = async (name: string): Promise<PageAsset> => {
        const asset = (await assets()).find(one => one.name === name)
        if (!asset) throw errors.page_file_not_found()
        return asset
      }
      return {
        routes: [
          route.get(
            '/app',
            {
              auth: 'public',
              summary: 'The chat page',
              ok: { 200: { description: 'The page', content: { 'text/html': { schema: z.string() } } } },
              errors: [errors.page_not_built],
            },
            async () => {
              const html = new TextDecoder().decode((await file('index.html')).plain())
              return htmlResponse(html, { policy: pagePolicy() })
            },
          ),
          route.get(
            '/app/{file}',
            {
              auth: 'public',
              summary: 'A file of the chat page',
              params: z.object({ file: z.string().max(200) }),
              ok: {
                200: {
                  description: 'The file',
                  content: { 'text/javascript': { schema: z.string() }, 'text/css': { schema: z.string() } },
                },
              },
              errors: [errors.page_not_built, errors.page_file_not_found],
            },
            // Vite puts a hash of the content into each name.
            async c => assetResponse(await file(c.req.valid('param').file), c.req.raw.headers, { immutable: true }),
          ),
        ],
      }
    },
  })
