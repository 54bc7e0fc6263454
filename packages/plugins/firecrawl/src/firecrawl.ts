import { definePlugin } from '@sibyl/plugin'
import { embeddedParts, type FirecrawlOptions } from './embedded-parts.ts'
import { firecrawlEnv } from './fetching/firecrawl-env.ts'
import { manifest } from './manifest.ts'
import { remoteParts } from './remote-parts.ts'

/**
 * Reads web pages as Markdown: the tools `scrape_url` and `crawl_site`, and `search_web` with a Firecrawl server.
 *
 * @example
 * await createOracleApp({ config, plugins: [firecrawl()] })
 */
export const firecrawl = (options: FirecrawlOptions = {}) =>
  definePlugin({
    name: 'firecrawl',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: firecrawlEnv,
    optIn: ['FIRECRAWL_MCP_URL'],
    setup(host) {
      const url = host.env.FIRECRAWL_MCP_URL
      return url === undefined || url === 'embedded:' ? embeddedParts(host, options) : remoteParts(host, url, options)
    },
  })
