import { definePlugin, type Host, type PluginParts } from '@sibyl/plugin'
import { embeddedParts, type FirecrawlOptions, withDefaults } from './embedded-parts.ts'
import { readHostList } from './fetching/allowed-hosts.ts'
import { type FirecrawlEnv, firecrawlEnv } from './fetching/firecrawl-env.ts'
import { manifest } from './manifest.ts'
import { createPageLibrary } from './pages/page-library.ts'
import { createFirecrawlServer } from './remote/firecrawl-server.ts'
import { createRemotePages } from './remote/remote-pages.ts'
import { crawlSiteTool, createPageAllowance, scrapeUrlTool, searchWebTool } from './web-tools.ts'

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

/** Creates the tools that a Firecrawl server implements. @param url `FIRECRAWL_MCP_URL` */
const remoteParts = (host: Host<FirecrawlEnv>, url: string, options: FirecrawlOptions): PluginParts => {
  const { env, clock, limits } = host
  const { crawlTimeLimitMs: timeLimitMs, crawlLookMs } = withDefaults(options)
  const timeLimitSeconds = Math.ceil(timeLimitMs / 1_000)
  const server = createFirecrawlServer(host, { url, token: env.FIRECRAWL_MCP_TOKEN, timeLimitMs })
  const { load, crawl } = createRemotePages(server, readHostList(env.FIRECRAWL_ALLOW_PRIVATE), timeLimitMs, crawlLookMs)
  const allow = createPageAllowance(limits, env.FIRECRAWL_PAGES_PER_MINUTE)
  return {
    tools: {
      scrape_url: scrapeUrlTool(createPageLibrary({ load, clock }), allow, timeLimitSeconds),
      crawl_site: crawlSiteTool(crawl, allow, timeLimitSeconds),
      search_web: searchWebTool(server, allow, timeLimitSeconds),
    },
    state: server.state,
    reason: server.reason,
    dispose: server.close,
  }
}
