import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { rolldown } from 'rolldown'

/** Where Chromium is, as `vitest.config.ts` found it. */
export const chromiumPath = process.env.CHROMIUM_PATH

/** Bundles a module of this package for browsers, as Vite does: the script by its name, and others that it loads later. */
export const bundleForBrowser = async (module: string): Promise<ReadonlyMap<string, string>> => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(module, new URL('../', import.meta.url))),
    platform: 'browser',
    logLevel: 'silent',
    resolve: { conditionNames: ['browser', 'sibyl-source', 'default'] },
  })
  const { output } = await bundle.generate({ format: 'esm', entryFileNames: 'page.js', minify: true })
  await bundle.close()
  return new Map(output.flatMap(file => (file.type === 'chunk' ? [[file.fileName, file.code] as const] : [])))
}

/** A page on localhost whose scripts have the client as `sibyl`, in Chromium. */
export interface KeyPage extends AsyncDisposable {
  readonly browser: Browser
  readonly origin: string
}

export const serveKeyPage = async (): Promise<KeyPage> => {
  const scripts = await bundleForBrowser('./index.ts')
  const html = `<!doctype html><title>Keys</title>
<script type="module">import * as sibyl from '/page.js'; globalThis.sibyl = sibyl</script>`
  const server = createServer((request, response) => {
    const script = scripts.get((request.url ?? '').slice(1))
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    response.end(script ?? html)
  })
  await listening(server)
  const browser = await chromium.launch({
    executablePath: chromiumPath ?? '',
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  return {
    browser,
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await browser.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

const listening = (server: Server) => new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
