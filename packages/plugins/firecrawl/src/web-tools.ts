import { defineTool, type Host, holderOf, ToolFailure, type Turn, untrustedContent } from '@sibyl/plugin'
import { z } from 'zod'
import type { CrawlSite } from './crawling/crawl-site.ts'
import { addressInput, cutText, type Page, type PageLibrary, pageDocument, readAddress } from './pages/page-library.ts'
import { escapeMarkdown } from './reading/markdown-text.ts'
import { absoluteLink } from './reading/page-text.ts'
import type { FirecrawlServer } from './remote/firecrawl-server.ts'

export type PageAllowance = ReturnType<typeof createPageAllowance>

/**
 * Creates the limit of pages per holder; rejects one too many for this minute. @param perMinute Pages of each holder.
 */
export const createPageAllowance =
  (limits: Host['limits'], perMinute: number) =>
  async ({ actor }: Pick<Turn, 'actor'>): Promise<void> => {
    const { allowed, endsInMs } = await limits.take({ name: 'firecrawl-pages', key: holderOf(actor), perMinute })
    if (allowed) return
    const seconds = Math.max(1, Math.ceil(endsInMs / 1_000))
    throw new ToolFailure(`You have read more than ${perMinute} pages in a minute. Try again in ${seconds} s.`)
  }

const untrustedSchema = z.object({ source: z.string(), notice: z.string(), text: z.string() })

/** Maximum number of characters of a page in one call. */
export const maxCharacters = 50_000
const usualCharacters = 20_000
const maxLinks = 300

/** Creates the tool `scrape_url`. @param timeLimitSeconds time limit of a page */
export const scrapeUrlTool = (library: PageLibrary, allow: PageAllowance, timeLimitSeconds: number) =>
  defineTool({
    description:
      'Reads a web page as Markdown, without running its scripts. Returns its article if it has one; a long one comes in pieces.',
    effect: 'read',
    timeLimitSeconds: timeLimitSeconds + 15,
    input: z.object({
      url: addressInput,
      offset: z.int().min(0).max(1_000_000).default(0).describe('nextOffset of the previous piece'),
      max: z.int().min(200).max(maxCharacters).default(usualCharacters).describe('Characters'),
      whole: z.boolean().default(false).describe('The whole page, including content around the article'),
      links: z.boolean().default(false).describe('Also list its links'),
    }),
    output: z.object({
      url: z.string().describe('its address after redirects'),
      status: z.number(),
      language: z.string().optional(),
      content: untrustedSchema,
      isArticle: z.boolean().describe('content around the article was omitted'),
      truncated: z.boolean(),
      nextOffset: z.number().optional().describe('offset of the next piece; missing at the end'),
      links: untrustedSchema.optional(),
    }),
    async execute({ url, offset, max, whole, links }, { turn, signal }) {
      const wanted = { wantsWhole: whole, actor: turn.actor, admit: () => allow(turn), signal }
      const page = await library.page(readAddress(url), wanted)
      if (page.markdown.trim() === '') throw new ToolFailure(emptyText(page))
      const piece = cutText(pageDocument(page), offset, max)
      if (piece.text === '') throw new ToolFailure(`The page ends before character ${offset}.`)
      return {
        url: page.url,
        status: page.status,
        language: page.language,
        content: untrustedContent(page.url, piece.text),
        isArticle: page.isArticle,
        truncated: piece.nextOffset !== undefined || !page.isComplete,
        nextOffset: piece.nextOffset,
        links: links ? untrustedContent(page.url, linkList(page)) : undefined,
      }
    },
  })

/** Returns why a page has no text. */
const emptyText = ({ forwardsTo, isComplete }: Page): string => {
  if (forwardsTo !== undefined) return `The page has no text and redirects browsers to ${forwardsTo}.`
  return isComplete
    ? 'The page has no text: it is empty, or created by scripts, which are not run.'
    : 'The part of the page that was read has no text.'
}

const linkList = ({ links }: Page): string =>
  links
    .slice(0, maxLinks)
    .map(({ url, text }) => ['-', text.trim(), `<${url}>`].filter(part => part !== '').join(' '))
    .join('\n')

/** Maximum number of pages of one crawl. */
export const maxPages = 25
/** Maximum number of links from the start. */
export const maxDepth = 5
/** Maximum characters of all pages together, and minimum and maximum of one. */
const maxText = 40_000
const leastOfPage = 1_000
const maxOfPage = 8_000

/**
 * Creates the tool `crawl_site`.
 *
 * @param timeLimitSeconds time limit of a crawl
 */
export const crawlSiteTool = (crawl: CrawlSite, allow: PageAllowance, timeLimitSeconds: number) =>
  defineTool({
    description:
      'Reads a web page and the pages of its site that it links to, in the same folder and below. Returns the beginning of each; scrape_url reads more.',
    effect: 'read',
    timeLimitSeconds: timeLimitSeconds + 15,
    input: z.object({
      url: addressInput,
      limit: z.int().min(1).max(maxPages).default(10).describe('Pages'),
      depth: z.int().min(0).max(maxDepth).default(2).describe('Maximum number of links from the first page'),
    }),
    output: z.object({
      url: z.string(),
      count: z.number().describe('number of pages read'),
      pages: z.array(
        z.object({ url: z.string(), nextOffset: z.number().optional().describe('offset for scrape_url') }),
      ),
      content: untrustedSchema,
      skipped: z.array(z.object({ url: z.string(), reason: z.string() })).describe('pages that could not be read'),
      stopped: z.string().optional().describe('reason why it ended early'),
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
      const each = Math.min(maxOfPage, Math.max(leastOfPage, Math.floor(maxText / Math.max(1, pages.length))))
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

/** Schema of the result of `firecrawl_search` of firecrawl-mcp 3.26. */
const searchResult = z.object({
  data: z.object({
    web: z
      .array(
        z.object({
          url: z.string().max(10_000),
          title: z.string().nullish(),
          description: z.string().nullish(),
        }),
      )
      .nullish(),
  }),
})

const maxHits = 20
const maxTitle = 200
const maxExcerpt = 600

/**
 * Creates the tool `search_web`, which a Firecrawl server implements. @param timeLimitSeconds time limit of a search
 */
export const searchWebTool = (server: FirecrawlServer, allow: PageAllowance, timeLimitSeconds: number) =>
  defineTool({
    description: 'Searches the web: addresses, titles and excerpts. scrape_url reads one of them.',
    effect: 'read',
    timeLimitSeconds: timeLimitSeconds + 15,
    input: z.object({
      query: z.string().trim().min(1).max(500),
      limit: z.int().min(1).max(maxHits).default(5).describe('Results'),
    }),
    output: z.object({ count: z.number(), content: untrustedSchema }),
    async execute({ query, limit }, { turn, signal }) {
      await allow(turn)
      const args = { query, limit, sources: ['web'] }
      const { data } = await server.call('firecrawl_search', args, searchResult, signal)
      const hits = (data.web ?? []).slice(0, limit).flatMap(({ url, title, description }) => {
        const href = absoluteLink(url, new URL('https://invalid.invalid'))
        return href === undefined ? [] : [hitText(href, title ?? '', description ?? '')]
      })
      if (hits.length === 0) throw new ToolFailure('The search found nothing. Try other words.')
      return { count: hits.length, content: untrustedContent('web search', hits.join('\n')) }
    },
  })

const hitText = (url: string, title: string, excerpt: string): string => {
  const line = (text: string, length: number) => escapeMarkdown(text.replaceAll(/\s+/g, ' ').trim().slice(0, length))
  return `- ${[line(title, maxTitle), `<${url}>`, line(excerpt, maxExcerpt)].filter(text => text !== '').join(' ')}`
}
