import { defineTool, ToolFailure, untrustedContent } from '@sibyl/plugin'
import { z } from 'zod'
import { cutText, pageDocument } from '../pages/page-document.ts'
import type { Page, PageLibrary } from '../pages/page-library.ts'
import { addressInput, readAddress } from '../pages/read-address.ts'
import type { PageAllowance } from './page-allowance.ts'
import { untrustedSchema } from './untrusted-schema.ts'

/** The most characters of a page that one call gives. */
export const maxCharacters = 50_000
const usualCharacters = 20_000
const maxLinks = 300

/** The tool `scrape_url`. @param timeLimitSeconds what a page takes at most */
export const scrapeUrlTool = (library: PageLibrary, allow: PageAllowance, timeLimitSeconds: number) =>
  defineTool({
    description:
      'Reads a web page as Markdown, without running its scripts. Gives its article where it has one, a long one piece by piece.',
    effect: 'read',
    timeLimitSeconds: timeLimitSeconds + 15,
    input: z.object({
      url: addressInput,
      offset: z.int().min(0).max(1_000_000).default(0).describe('nextOffset of the piece before'),
      max: z.int().min(200).max(maxCharacters).default(usualCharacters).describe('Characters'),
      whole: z.boolean().default(false).describe('All of the page, also what is around the article'),
      links: z.boolean().default(false).describe('List its links too'),
    }),
    output: z.object({
      url: z.string().describe('where it is, after redirects'),
      status: z.number(),
      language: z.string().optional(),
      content: untrustedSchema,
      isArticle: z.boolean().describe('what is around the article was left out'),
      truncated: z.boolean(),
      nextOffset: z.number().optional().describe('where to read on; missing at the end'),
      links: untrustedSchema.optional(),
    }),
    async execute({ url, offset, max, whole, links }, { turn, signal }) {
      const wish = { wantsWhole: whole, actor: turn.actor, admit: () => allow(turn), signal }
      const page = await library.page(readAddress(url), wish)
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

/** Why a page has nothing to read. */
export const emptyText = ({ forwardsTo, isComplete }: Page): string => {
  if (forwardsTo !== undefined) return `The page has no text, and sends browsers on to ${forwardsTo}.`
  return isComplete
    ? 'The page has no text: it is empty, or written by scripts, which are not run.'
    : 'The page has no text in as much of it as is read.'
}

const linkList = ({ links }: Page): string =>
  links
    .slice(0, maxLinks)
    .map(({ url, text }) => ['-', text.trim(), `<${url}>`].filter(part => part !== '').join(' '))
    .join('\n')
