import type { Host, PluginParts } from '@sibyl/plugin'
import { crawlSite } from './crawling/crawl-site.ts'
import { readHostList } from './fetching/allowed-hosts.ts'
import { createFetchPage } from './fetching/fetch-page.ts'
import { createSiteFetch } from './fetching/site-fetch.ts'
import { createSiteRobots } from './fetching/site-robots.ts'
import { robotName, userAgentOf } from './fetching/user-agent.ts'
import type { FirecrawlEnv } from './firecrawl-env.ts'
import { type FirecrawlOptions, withDefaults } from './firecrawl-options.ts'
import { createLoadPage } from './pages/load-page.ts'
import { createPageLibrary } from './pages/page-library.ts'
import { createPageReader, pageLine } from './reading/page-reader.ts'
import { crawlSiteTool } from './tools/crawl-site-tool.ts'
import { createPageAllowance } from './tools/page-allowance.ts'
import { scrapeUrlTool } from './tools/scrape-url-tool.ts'

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
