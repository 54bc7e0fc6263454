import type { Host, PluginParts } from '@sibyl/plugin'
import { type GuardedFetch, guardedFetch } from '@sibyl/plugin/outbound'
import { crawlSite } from './crawling/crawl-site.ts'
import { readHostList } from './fetching/allowed-hosts.ts'
import { createFetchPage } from './fetching/fetch-page.ts'
import type { FirecrawlEnv } from './fetching/firecrawl-env.ts'
import { createSiteFetch, robotName, userAgentOf } from './fetching/site-fetch.ts'
import { createSiteRobots } from './fetching/site-robots.ts'
import { createLoadPage } from './pages/load-page.ts'
import { createPageLibrary } from './pages/page-library.ts'
import { createPageReader, pageLine } from './reading/page-reader.ts'
import { crawlSiteTool, createPageAllowance, scrapeUrlTool } from './web-tools.ts'

/** How the plugin works, where its variables do not say. */
export interface FirecrawlOptions {
  /** What sends the requests for pages. @default guardedFetch of core */
  readonly fetch?: GuardedFetch
  /** Milliseconds that a page may take to come. @default 15_000 */
  readonly pageTimeLimitMs?: number
  /** Milliseconds that a page may take to be read. @default 8_000 */
  readonly readTimeLimitMs?: number
  /** Milliseconds that a crawl may take, and a call of a Firecrawl server. @default 60_000 */
  readonly crawlTimeLimitMs?: number
  /** Milliseconds from one request of a crawl to the next. @default 250 */
  readonly crawlPauseMs?: number
  /** Milliseconds from one look at a crawl of a Firecrawl server to the next. @default 2_000 */
  readonly crawlLookMs?: number
}

/** What holds where nothing else is said. */
export const withDefaults = (options: FirecrawlOptions): Required<FirecrawlOptions> => ({
  fetch: options.fetch ?? guardedFetch,
  pageTimeLimitMs: options.pageTimeLimitMs ?? 15_000,
  readTimeLimitMs: options.readTimeLimitMs ?? 8_000,
  crawlTimeLimitMs: options.crawlTimeLimitMs ?? 60_000,
  crawlPauseMs: options.crawlPauseMs ?? 250,
  crawlLookMs: options.crawlLookMs ?? 2_000,
})

/** Bytes of a page that are read, and of what is unpacked of it. */
const maxBytes = 2_000_000

/** The tools that read pages from here. */
export const embeddedParts = (
  { env, clock, identity, limits }: Host<FirecrawlEnv>,
  options: FirecrawlOptions,
): PluginParts => {
  const { fetch, pageTimeLimitMs, readTimeLimitMs, crawlTimeLimitMs, crawlPauseMs } = withDefaults(options)
  const siteFetch = createSiteFetch({
    fetch,
    userAgent: userAgentOf(identity.publicDid),
    isPrivateAllowed: readHostList(env.FIRECRAWL_ALLOW_PRIVATE),
    timeLimitMs: pageTimeLimitMs,
  })
  const robots = createSiteRobots({ fetch: siteFetch, robot: robotName, clock })
  const fetchPage = createFetchPage({ fetch: siteFetch, robots, maxBytes, timeLimitMs: pageTimeLimitMs })
  const reader = createPageReader({ line: limits.line(pageLine), timeLimitMs: readTimeLimitMs })
  const library = createPageLibrary({ load: createLoadPage({ fetchPage, reader }), clock })
  const crawlOptions = { library, pauseMs: crawlPauseMs, timeLimitMs: crawlTimeLimitMs }
  const allow = createPageAllowance(limits, env.FIRECRAWL_PAGES_PER_MINUTE)
  return {
    tools: {
      scrape_url: scrapeUrlTool(library, allow, seconds(pageTimeLimitMs + readTimeLimitMs)),
      crawl_site: crawlSiteTool(wish => crawlSite(wish, crawlOptions), allow, seconds(crawlTimeLimitMs)),
    },
    dispose: () => reader.close(),
  }
}

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1_000)
