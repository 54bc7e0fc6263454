import { z } from 'zod'
import type { Page } from '../pages/page-library.ts'
import { withoutImages } from '../reading/markdown-text.ts'
import { absoluteLink } from '../reading/page-link.ts'
import { defaultReadingLimits } from '../reading/page-text.ts'

const text = z
  .union([z.string(), z.array(z.string()).transform(texts => texts[0] ?? '')])
  .optional()
  .catch(undefined)

/** A page as `firecrawl_scrape` and `firecrawl_crawl` of firecrawl-mcp 3.26 give it. */
export const remoteDocument = z.object({
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

/** As a page. @param asked the address that was asked for */
export const pageOfDocument = ({ markdown, metadata, links }: z.infer<typeof remoteDocument>, asked: URL): Page => {
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
