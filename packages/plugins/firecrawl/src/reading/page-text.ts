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
