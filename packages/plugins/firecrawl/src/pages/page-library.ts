import type { Clock } from '@sibyl/plugin'
import type { ReadingWish } from '../reading/page-reader.ts'
import type { PageText } from '../reading/page-text.ts'
import { createSizedCache } from './sized-cache.ts'

/** A page that was fetched and read. */
export interface Page extends PageText {
  /** Where it is, after redirects, without a fragment. */
  readonly url: string
  readonly status: number
  /** Seconds between two requests that its site asks for. */
  readonly crawlDelay: number | undefined
}

/** How a page is wanted. */
export interface PageWish extends ReadingWish {
  /** Counts a request that is about to be sent; rejects where it is one too many. */
  admit(): Promise<void>
}

/** Fetches and reads a page. */
export type LoadPage = (address: URL, wish: ReadingWish) => Promise<Page>

/** Fetches and reads pages, and keeps them for some minutes: nothing in them is anybody's own, for no cookies are sent. */
export interface PageLibrary {
  /** Throws a `ToolFailure` that says why there is no such page, what `admit` throws, and the reason of the signal. */
  page(address: URL, wish: PageWish): Promise<Page>
}

export interface PageLibraryOptions {
  readonly load: LoadPage
  readonly clock: Clock
}

const keptMs = 5 * 60_000
/** In characters of all pages together. */
const maxKept = 8_000_000

/** Makes an empty one. */
export const createPageLibrary = ({ load, clock }: PageLibraryOptions): PageLibrary => {
  const kept = createSizedCache<Page>({
    clock,
    lifetimeMs: keptMs,
    maxSize: maxKept,
    sizeOf: ({ markdown, links }) =>
      links.reduce((sum, { url, text }) => sum + url.length + text.length, markdown.length + 1_000),
  })

  return {
    async page(address, wish) {
      const key = `${wish.wantsWhole} ${withoutFragment(address)}`
      const known = kept.get(key)
      if (known) return known
      await wish.admit()
      const page = await load(address, wish)
      kept.set(key, page)
      return page
    },
  }
}

/** An address as it is sent to a server. */
export const withoutFragment = ({ href }: URL): string => href.replace(/#.*$/s, '')
