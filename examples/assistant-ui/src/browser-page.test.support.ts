import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Where Chromium is, as `vitest.config.ts` found it. */
export const chromiumPath = process.env.CHROMIUM_PATH

/** Bundles a page of this folder for browsers. */
export const bundleScript = async (page: string): Promise<string> => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(page, import.meta.url)),
    platform: 'browser',
    logLevel: 'silent',
    resolve: { conditionNames: ['sibyl-source', 'browser', 'default'] },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  return output[0].code
}

/** Serves a page with that script. */
export const servePage = async (script: string): Promise<Server> => {
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript
        ? script
        : '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>',
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}
