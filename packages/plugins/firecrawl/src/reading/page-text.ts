export interface PageLink {
  /** Absolute http or https address without its fragment. */
  readonly url: string
  /** Its link text, at most 100 characters. */
  readonly text: string
  /** True if the page marks it as nofollow. */
  readonly noFollow: boolean
}

export interface PageText {
  /** '' if it has none. */
  readonly title: string
  readonly byline?: string | undefined
  readonly language?: string | undefined
  /** The date as the page states it. */
  readonly published?: string | undefined
  /** The canonical address of the page; absolute, and of the same origin. */
  readonly canonical?: string | undefined
  /** The article, or the whole page if there is no article. */
  readonly markdown: string
  /** True if `markdown` omits content around the article. */
  readonly isArticle: boolean
  /** Links in page order, each address once. */
  readonly links: readonly PageLink[]
  /** Target of a `meta refresh`; never followed. */
  readonly forwardsTo?: string | undefined
  /** False if the page is larger than the part that was read. */
  readonly isComplete: boolean
}

/** Limits for converting a page. */
export interface ReadingLimits {
  /** Maximum number of elements. */
  readonly maxElements: number
  /** Maximum nesting depth; deeper elements are unwrapped, and their text is kept. */
  readonly maxDepth: number
  readonly maxLinks: number
  /** Characters of text. */
  readonly maxText: number
  /** Characters of Markdown. */
  readonly maxMarkdown: number
}

export const defaultReadingLimits: ReadingLimits = {
  maxElements: 30_000,
  maxDepth: 100,
  maxLinks: 1_000,
  maxText: 800_000,
  maxMarkdown: 400_000,
}

/** Maximum length of an address, in characters. */
const maxLink = 2_000

/**
 * Returns the target of a link: http, https and mailto only. Undefined for scripts, data, invalid and too long
 * addresses.
 *
 * @param base base of relative addresses
 */
export const absoluteLink = (href: string | undefined, base: URL): string | undefined => {
  const text = href?.trim()
  if (text === undefined || text === '' || text.length > maxLink || !URL.canParse(text, base)) return undefined
  const url = new URL(text, base)
  if (url.protocol === 'mailto:') return url.href.length <= maxLink ? url.href : undefined
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  url.username = ''
  url.password = ''
  return url.href.length <= maxLink ? url.href : undefined
}
