import { defineTool, untrustedContent } from '@sibyl/plugin'
import { z } from 'zod'
import type { CrawlSite } from '../crawling/crawl-site.ts'
import { cutText, pageDocument } from '../pages/page-document.ts'
import type { Page } from '../pages/page-library.ts'
import { addressInput, readAddress } from '../pages/read-address.ts'
import type { PageAllowance } from './page-allowance.ts'
import { untrustedSchema } from './untrusted-schema.ts'

/** The most pages of one crawl. */
export const maxPages = 25
/** The most links away from the start. */
export const maxDepth = 5
/** Characters of all pages together, and of one at least and at most. */
const maxText = 40_000
const leastOfPage = 1_000
const mostOfPage = 8_000

/**
 * The tool `crawl_site`.
 *
 * @param timeLimitSeconds what a crawl takes at most
 */
export const crawlSiteTool = (crawl: CrawlSite, allow: PageAllowance, timeLimitSeconds: number) =>
  defineTool({
    description:
      'Reads a web page and the pages of its site that it leads to, in the same folder and below. Gives the beginning of each; scrape_url reads on.',
    effect: 'read',
    timeLimitSeconds: timeLimitSeconds + 15,
    input: z.object({
      url: addressInput,
      limit: z.int().min(1).max(maxPages).default(10).describe('Pages'),
      depth: z.int().min(0).max(maxDepth).default(2).describe('Links away from the first page'),
    }),
    output: z.object({
      url: z.string(),
      count: z.number().describe('how many pages were read'),
      pages: z.array(
        z.object({ url: z.string(), nextOffset: z.number().optional().describe('where scrape_url reads on') }),
      ),
      content: untrustedSchema,
      skipped: z.array(z.object({ url: z.string(), reason: z.string() })).describe('pages that could not be read'),
      stopped: z.string().optional().describe('why it ended early'),
    }),
    async execute({ url, limit, depth }, { turn, signal, emit }) {
      const start = readAddress(url)
      let count = 0
      const { pages, skipped, stopped } = await crawl({
        start,
        limit,
        depth,
        actor: turn.actor,
        signal,
        admit: () => allow(turn),
        onPage(page, found) {
          count += 1
          emit({ name: 'crawl-progress', data: { url: page.url, pages: count, found } })
        },
      })
      const each = Math.min(mostOfPage, Math.max(leastOfPage, Math.floor(maxText / Math.max(1, pages.length))))
      const pieces = pages.map(page => ({ page, ...cutText(pageDocument(page), 0, each) }))
      return {
        url: pages[0]?.url ?? start.href,
        count: pages.length,
        pages: pieces.map(({ page, nextOffset }) => ({ url: page.url, nextOffset })),
        content: untrustedContent(start.origin, pieces.map(({ page, text }) => section(page, text)).join('\n\n')),
        skipped: [...skipped],
        stopped,
      }
    },
  })

const section = ({ url }: Page, text: string): string => `<${url}>\n\n${text}`
