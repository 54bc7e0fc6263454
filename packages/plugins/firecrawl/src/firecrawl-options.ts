import { type GuardedFetch, guardedFetch } from '@sibyl/plugin/outbound'

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
