import { defineTool, ToolFailure, untrustedContent } from '@sibyl/plugin'
import { z } from 'zod'
import { escapeMarkdown } from '../reading/markdown-text.ts'
import { absoluteLink } from '../reading/page-link.ts'
import type { FirecrawlServer } from '../remote/firecrawl-server.ts'
import type { PageAllowance } from './page-allowance.ts'
import { untrustedSchema } from './untrusted-schema.ts'

/** What `firecrawl_search` of firecrawl-mcp 3.26 gives. */
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

/** The tool `search_web`, which a Firecrawl server answers. @param timeLimitSeconds what a search takes at most */
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
