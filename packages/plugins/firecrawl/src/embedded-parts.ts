import type { Host, PluginParts } from '@sibyl/plugin'
import { type GuardedFetch, guardedFetch } from '@sibyl/plugin/outbound'
import { crawlSite } from './crawling/crawl-site.ts'
import { readHostList } from './fetching/allowed-hosts.ts'
import { createFetchPage, type FetchedPage, type FetchPage } from './fetching/fetch-page.ts'
import type { FirecrawlEnv } from './fetching/firecrawl-env.ts'
import { createSiteFetch, robotName, userAgentOf } from './fetching/site-fetch.ts'
import { createSiteRobots } from './fetching/site-robots.ts'
import { createPageLibrary, type LoadPage, withoutFragment } from './pages/page-library.ts'
import { codeBlock, withoutImages } from './reading/markdown-text.ts'
import { createPageReader, type PageReader, pageLine, type ReadingRequest } from './reading/page-reader.ts'
import { defaultReadingLimits, type PageText } from './reading/page-text.ts'
import { crawlSiteTool, createPageAllowance, scrapeUrlTool } from './web-tools.ts'

/** Options of the plugin besides its environment variables. */
export interface FirecrawlOptions {
  /** Sends the requests for pages. @default guardedFetch of core */
  readonly fetch?: GuardedFetch
  /** Time limit for fetching a page, in milliseconds. @default 15_000 */
  readonly pageTimeLimitMs?: number
  /** Time limit for converting a page, in milliseconds. @default 8_000 */
  readonly readTimeLimitMs?: number
  /** Time limit for a crawl, and for a call of a Firecrawl server, in milliseconds. @default 60_000 */
  readonly crawlTimeLimitMs?: number
  /** Milliseconds between two requests of a crawl. @default 250 */
  readonly crawlPauseMs?: number
  /** Polling interval for a crawl of a Firecrawl server, in milliseconds. @default 2_000 */
  readonly crawlLookMs?: number
}

/** Fills in the defaults. */
export const withDefaults = (options: FirecrawlOptions): Required<FirecrawlOptions> => ({
  fetch: options.fetch ?? guardedFetch,
  pageTimeLimitMs: options.pageTimeLimitMs ?? 15_000,
  readTimeLimitMs: options.readTimeLimitMs ?? 8_000,
  crawlTimeLimitMs: options.crawlTimeLimitMs ?? 60_000,
  crawlPauseMs: options.crawlPauseMs ?? 250,
  crawlLookMs: options.crawlLookMs ?? 2_000,
})

/** Maximum size of a page in bytes, also after decompression. */
const maxBytes = 2_000_000

/** Creates the tools that read pages in this process. */
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
      crawl_site: crawlSiteTool(wanted => crawlSite(wanted, crawlOptions), allow, seconds(crawlTimeLimitMs)),
    },
    dispose: () => reader.close(),
  }
}

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1_000)

/** Creates the function that fetches and converts pages in this process. */
const createLoadPage =
  ({ fetchPage, reader }: { readonly fetchPage: FetchPage; readonly reader: PageReader }): LoadPage =>
  async (address, wanted) => {
    const fetched = await fetchPage(address, wanted.signal)
    const text = await readText(fetched, reader, wanted)
    return {
      ...text,
      url: withoutFragment(fetched.address),
      status: fetched.status,
      crawlDelay: fetched.crawlDelay,
      isComplete: fetched.isComplete && text.isComplete,
    }
  }

const readText = async (
  { kind, text, address }: FetchedPage,
  reader: PageReader,
  wanted: ReadingRequest,
): Promise<PageText> => {
  if (kind === 'html') return reader.read(text, address, wanted)
  const { maxMarkdown } = defaultReadingLimits
  const cut = text.slice(0, maxMarkdown)
  const markdown = kind === 'text' || cut.trim() === '' ? withoutImages(cut) : codeBlock(cut, kind)
  return { title: '', markdown, isArticle: false, links: [], isComplete: text.length <= maxMarkdown }
}
