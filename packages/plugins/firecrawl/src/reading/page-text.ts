export interface PageLink {
  /** Absolute, http or https, without its fragment. */
  readonly url: string
  /** What a person reads there, at most 100 characters. */
  readonly text: string
  /** The page asks not to follow it. */
  readonly noFollow: boolean
}

export interface PageText {
  /** '' where it has none. */
  readonly title: string
  readonly byline?: string
  readonly language?: string
  /** As the page says it. */
  readonly published?: string
  /** The address that the page prefers for itself; absolute, and of the same origin. */
  readonly canonical?: string
  /** The article alone, or all of it where there is no article. */
  readonly markdown: string
  /** Whether `markdown` leaves out what stands around the article. */
  readonly isArticle: boolean
  /** In the order of the page, each address once. */
  readonly links: readonly PageLink[]
  /** Where it would send a browser after some time (`meta refresh`); never followed. */
  readonly forwardsTo?: string
  /** False where the page is larger than what is read of it. */
  readonly isComplete: boolean
}

/** What is read of a page at most. */
export interface ReadingLimits {
  /** Elements that are kept. */
  readonly maxElements: number
  /** How deep they are nested; deeper ones are taken apart, and their text kept. */
  readonly maxDepth: number
  readonly maxLinks: number
  /** Characters of text. */
  readonly maxText: number
  /** Characters of Markdown. */
  readonly maxMarkdown: number
}

/** What holds where nothing else is said. */
export const defaultReadingLimits: ReadingLimits = {
  maxElements: 30_000,
  maxDepth: 100,
  maxLinks: 1_000,
  maxText: 800_000,
  maxMarkdown: 400_000,
}

/** The longest address that is kept, in characters. */
const maxLink = 2_000

/**
 * Where a link leads: http, https and mailto alone. Undefined for scripts, data, what is no address, and what is too long.
 *
 * @param base what it is relative to
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
