import { Readability } from '@mozilla/readability'
import JSDOMParser from '@mozilla/readability/JSDOMParser.js'
import { type CleanPage, cleanHtml, escapeText } from './clean-html.ts'
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

/** The main content of a page. */
interface FoundArticle {
  /** The article, or the whole body. */
  readonly element: Element
  readonly isArticle: boolean
  readonly title: string
  readonly byline: string | undefined
}

/** Number of children of an element above which Readability is too slow; its time grows with their square. */
const widestForReadability = 8_000

/** Minimum length of an article that is less than half of the page, in characters. */
const leastArticle = 500

/** Finds the article of a page; the whole body without an article, or if requested. */
const findArticle = (page: CleanPage, wantsWhole: boolean): FoundArticle => {
  const whole = { element: parse(page).body, isArticle: false, title: page.title, byline: undefined }
  if (wantsWhole || page.widest > widestForReadability) return whole
  // Readability modifies its input.
  const options = { serializer: (node: Node) => node, disableJSONLD: true, keepClasses: true }
  const found = new Readability(parse(page), options).parse()
  const element = found?.content
  if (!found || !element) return whole
  const title = found.title || page.title
  const byline = found.byline?.trim() || undefined
  const length = found.length ?? 0
  if (length < leastArticle && length < page.textLength / 2) return { ...whole, title, byline }
  return { element: element as Element, isArticle: true, title, byline }
}

const parse = ({ markup, title, meta }: CleanPage): Document => {
  const metas = [...meta].map(([name, content]) => `<meta name="${attribute(name)}" content="${attribute(content)}"/>`)
  const head = `<head><title>${escapeText(title)}</title>${metas.join('')}</head>`
  return new JSDOMParser().parse(`<html>${head}<body>${markup}</body></html>`)
}

const attribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;')
