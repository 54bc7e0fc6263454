import { cleanHtml } from './clean-html.ts'
import { findArticle } from './find-article.ts'
import { absoluteLink, type PageText, type ReadingLimits } from './page-text.ts'
import { toMarkdown } from './to-markdown.ts'

const maxTitle = 300
const maxByline = 100

/**
 * Converts an HTML page.
 *
 * @param address address of the page
 * @param wantsWhole the whole page instead of the article
 */
export const readHtml = (html: string, address: URL, wantsWhole: boolean, limits: ReadingLimits): PageText => {
  const page = cleanHtml(html, address, limits)
  const { element, isArticle, title, byline } = findArticle(page, wantsWhole)
  const markdown = toMarkdown(element, limits.maxMarkdown)
  const asksNotToFollow = /\b(?:nofollow|none)\b/i.test(page.meta.get('robots') ?? '')
  return {
    title: oneLine(title, maxTitle),
    byline: oneLine(byline ?? page.meta.get('author') ?? '', maxByline) || undefined,
    language: languageOf(page.language ?? page.meta.get('content-language')),
    published: dateOf(
      page.meta.get('article:published_time') ?? page.meta.get('datepublished') ?? page.meta.get('date') ?? page.time,
    ),
    canonical: sameOrigin(page.canonical, address),
    markdown: markdown.slice(0, limits.maxMarkdown),
    isArticle,
    links: asksNotToFollow ? page.links.map(link => ({ ...link, noFollow: true })) : page.links,
    forwardsTo: forwardOf(page.meta.get('refresh'), address),
    isComplete: page.isComplete && markdown.length <= limits.maxMarkdown,
  }
}

const oneLine = (text: string, length: number): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, length)

/** Returns a language tag (BCP 47), loosely checked. */
const languageOf = (text: string | undefined): string | undefined =>
  /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}$/i.exec(text?.trim() ?? '')?.[0]

/** Returns an ISO 8601 date; other forms are not parsed. */
const dateOf = (text: string | undefined): string | undefined =>
  /^\d{4}-\d{2}(?:-\d{2}(?:[T ][0-9:.]{5,12}(?:Z|[+-]\d{2}:?\d{2})?)?)?$/.exec(text?.trim() ?? '')?.[0]

const sameOrigin = (url: string | undefined, address: URL): string | undefined =>
  url !== undefined && new URL(url).origin === address.origin ? url.replace(/#.*$/s, '') : undefined

/** Returns the target of `meta refresh`: '5; url=/there'. */
const forwardOf = (content: string | undefined, address: URL): string | undefined => {
  const target = /^\s*[\d.]*\s*[;,]\s*(?:url\s*=\s*)?['"]?([^'"]+)/i.exec(content ?? '')?.[1]
  return absoluteLink(target, address)
}
