import { setTimeout as sleep } from 'node:timers/promises'
import { ToolFailure } from '@sibyl/plugin'
import { checkOutboundAddress, OutboundFailed, OutboundRefused } from '@sibyl/plugin/outbound'
import { z } from 'zod'
import type { Crawl, CrawlSite } from '../crawling/crawl-site.ts'
import type { PrivateHosts } from '../fetching/allowed-hosts.ts'
import type { LoadPage, Page } from '../pages/page-library.ts'
import { withoutImages } from '../reading/markdown-text.ts'
import { absoluteLink, defaultReadingLimits } from '../reading/page-text.ts'
import type { FirecrawlServer } from './firecrawl-server.ts'

const text = z
  .union([z.string(), z.array(z.string()).transform(texts => texts[0] ?? '')])
  .optional()
  .catch(undefined)

/** Schema of a page from `firecrawl_scrape` and `firecrawl_crawl` of firecrawl-mcp 3.26. */
const remoteDocument = z.object({
  markdown: z.string().nullish(),
  links: z.array(z.string()).nullish().catch(undefined),
  metadata: z
    .object({
      title: text,
      language: text,
      author: text,
      publishedTime: text,
      url: text,
      sourceURL: text,
      statusCode: z.number().optional().catch(undefined),
    })
    .nullish()
    .catch(undefined),
})

/** Pages from a Firecrawl server. */
export interface RemotePages {
  readonly load: LoadPage
  readonly crawl: CrawlSite
}

/** Schema of a crawl's state; without pages it is still running. */
const remoteCrawl = z.object({
  id: z.string().nullish(),
  status: z.string().nullish(),
  data: z.array(remoteDocument).nullish().catch(undefined),
})

const endings = new Set(['completed', 'failed', 'cancelled'])

/**
 * Creates the reader of remote pages. Addresses in private networks are not sent to the server either, because it may
 * be in one.
 *
 * @param timeLimitMs time limit of a crawl, in milliseconds
 * @param pollIntervalMs polling interval of a running crawl
 */
export const createRemotePages = (
  server: FirecrawlServer,
  isPrivateAllowed: PrivateHosts,
  timeLimitMs: number,
  pollIntervalMs: number,
): RemotePages => ({
  async load(address, { wantsWhole, signal }) {
    await demandPublic(address, isPrivateAllowed)
    const args = { url: address.href, formats: ['markdown', 'links'], onlyMainContent: !wantsWhole }
    return pageOfDocument(await server.call('firecrawl_scrape', args, remoteDocument, signal), address)
  },

  async crawl({ start, limit, depth, admit, onPage, signal }): Promise<Crawl> {
    await demandPublic(start, isPrivateAllowed)
    for (let count = 0; count < limit; count += 1) await admit()
    const ended = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)])
    const scrapeOptions = { formats: ['markdown'], onlyMainContent: true }
    const args = { url: start.href, limit, maxDiscoveryDepth: depth, scrapeOptions }
    let crawl: z.infer<typeof remoteCrawl> = {}
    try {
      crawl = await server.call('firecrawl_crawl', args, remoteCrawl, ended)
      while (crawl.id && !endings.has(crawl.status ?? '')) {
        await sleep(pollIntervalMs, undefined, { signal: ended, ref: false })
        const { id } = crawl
        crawl = { id, ...(await server.call('firecrawl_check_crawl_status', { id }, remoteCrawl, ended)) }
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!ended.aborted) throw error
    }
    const pages = (crawl.data ?? []).slice(0, limit).map(document => pageOfDocument(document, start))
    const read = pages.filter(({ markdown }) => markdown.trim() !== '')
    if (read.length === 0)
      throw new ToolFailure(ended.aborted ? tooLong : 'The Firecrawl server found no page to read.')
    for (const page of read) onPage(page, read.length)
    return { pages: read, skipped: [], stopped: stopText(crawl.status, ended.aborted) }
  },
})

const tooLong = 'The crawl took too long.'

const stopText = (status: string | null | undefined, isLate: boolean): string | undefined => {
  if (isLate) return tooLong
  return status === 'completed' || !status ? undefined : `The Firecrawl server ended the crawl early.`
}

const demandPublic = async (address: URL, isPrivateAllowed: PrivateHosts): Promise<void> => {
  try {
    await checkOutboundAddress(address, { allowPrivate: isPrivateAllowed(address) })
  } catch (error) {
    const isKnown = error instanceof OutboundRefused || error instanceof OutboundFailed
    throw isKnown ? new ToolFailure(error.message, { cause: error }) : error
  }
}

/** Converts a document to a page. @param asked the requested address */
const pageOfDocument = ({ markdown, metadata, links }: z.infer<typeof remoteDocument>, asked: URL): Page => {
  const where = absoluteLink(metadata?.url ?? metadata?.sourceURL, asked)
  const { maxMarkdown, maxLinks } = defaultReadingLimits
  const all = markdown ?? ''
  return {
    url: where?.startsWith('http') ? where : asked.href,
    status: metadata?.statusCode ?? 200,
    title: oneLine(metadata?.title, 300) ?? '',
    byline: oneLine(metadata?.author, 100),
    published: oneLine(metadata?.publishedTime, 40),
    language: /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}$/i.exec(metadata?.language ?? '')?.[0],
    markdown: withoutImages(all.slice(0, maxMarkdown)),
    isComplete: all.length <= maxMarkdown,
    isArticle: false,
    links: (links ?? []).slice(0, maxLinks).flatMap(link => {
      const url = absoluteLink(link, asked)
      return url === undefined ? [] : [{ url, text: '', noFollow: false }]
    }),
    crawlDelay: undefined,
  }
}

const oneLine = (value: string | undefined, length: number): string | undefined =>
  value?.replaceAll(/\s+/g, ' ').trim().slice(0, length) || undefined
