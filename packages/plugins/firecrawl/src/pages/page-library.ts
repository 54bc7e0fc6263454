import { type Clock, ToolFailure } from '@sibyl/plugin'
import { z } from 'zod'
import { escapeMarkdown } from '../reading/markdown-text.ts'
import type { ReadingRequest } from '../reading/page-reader.ts'
import type { PageText } from '../reading/page-text.ts'

/** A fetched and converted page. */
export interface Page extends PageText {
  /** Its address after redirects, without a fragment. */
  readonly url: string
  readonly status: number
  /** Seconds between two requests, as requested by its site. */
  readonly crawlDelay: number | undefined
}

export interface PageRequest extends ReadingRequest {
  /** Counts a request before it is sent; rejects if it exceeds the limit. */
  admit(): Promise<void>
}

/** Fetches and converts a page. */
export type LoadPage = (address: URL, wanted: ReadingRequest) => Promise<Page>

/**
 * Fetches and converts pages, and caches them for some minutes. Pages are the same for all users, because no cookies
 * are sent.
 */
export interface PageLibrary {
  /** Throws a `ToolFailure` with the reason if there is no page, errors of `admit`, and the reason of the signal. */
  page(address: URL, wanted: PageRequest): Promise<Page>
}

export interface PageLibraryOptions {
  readonly load: LoadPage
  readonly clock: Clock
}

const keptMs = 5 * 60_000
/** Limit of the cache, in characters of all pages together. */
const maxKept = 8_000_000

export const createPageLibrary = ({ load, clock }: PageLibraryOptions): PageLibrary => {
  const kept = createSizedCache<Page>({
    clock,
    lifetimeMs: keptMs,
    maxSize: maxKept,
    sizeOf: ({ markdown, links }) =>
      links.reduce((sum, { url, text }) => sum + url.length + text.length, markdown.length + 1_000),
  })

  return {
    async page(address, wanted) {
      const key = `${wanted.wantsWhole} ${withoutFragment(address)}`
      const known = kept.get(key)
      if (known) return known
      await wanted.admit()
      const page = await load(address, wanted)
      kept.set(key, page)
      return page
    },
  }
}

/** Returns an address as it is sent to a server. */
export const withoutFragment = ({ href }: URL): string => href.replace(/#.*$/s, '')

/** Returns a page as one text: title, author and date, then its content. All of it comes from the page. */
export const pageDocument = ({ title, byline, published, markdown }: Page): string => {
  const heading = title === '' ? '' : `# ${escapeMarkdown(title)}`
  const beginning = markdown.slice(0, 1_000).split('\n')
  const isInText = ['', '#', '##'].some(more => beginning.includes(`${more}${heading}`))
  const facts = [byline, published].filter(fact => fact !== undefined).join(', ')
  return [isInText ? '' : heading, escapeMarkdown(facts), markdown].filter(text => text !== '').join('\n\n')
}

export interface TextPiece {
  readonly text: string
  /** Offset of the next piece; undefined at the end. */
  readonly nextOffset: number | undefined
}

/** Distance within which a line or word end is searched for, in characters. */
const slack = 200

/** Returns a piece of a text that ends at the end of a line or word if one is near. */
export const cutText = (text: string, offset: number, max: number): TextPiece => {
  const end = offset + max
  if (end >= text.length) return { text: text.slice(offset), nextOffset: undefined }
  const tail = text.slice(Math.max(offset + 1, end - slack), end)
  const at = Math.max(tail.lastIndexOf('\n'), tail.lastIndexOf(' '))
  const cut = at >= 0 ? end - tail.length + at + 1 : end - Number(/[\uD800-\uDBFF]$/.test(tail))
  const nextOffset = cut > offset ? cut : end
  return { text: text.slice(offset, nextOffset), nextOffset }
}

/** A cache with a lifetime; the least recently used values are evicted first. */
export interface SizedCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

export interface SizedCacheOptions<Value> {
  readonly clock: Clock
  readonly lifetimeMs: number
  /** Maximum size of all values together. */
  readonly maxSize: number
  readonly sizeOf: (value: Value) => number
}

const createSizedCache = <Value>(options: SizedCacheOptions<Value>): SizedCache<Value> => {
  const { clock, lifetimeMs, maxSize, sizeOf } = options
  const entries = new Map<string, { readonly value: Value; readonly size: number; readonly until: number }>()
  let total = 0

  const drop = (key: string): void => {
    total -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (clock.now() >= entry.until) {
        drop(key)
        return undefined
      }
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value) {
      const size = sizeOf(value)
      if (size > maxSize) return
      drop(key)
      entries.set(key, { value, size, until: clock.now() + lifetimeMs })
      total += size
      for (const oldest of entries.keys()) {
        if (total <= maxSize) break
        drop(oldest)
      }
    },
  }
}

/** Maximum length of an address, in characters. */
const maxAddress = 2_000

/** Schema of an address from a model or a user. */
export const addressInput = z
  .string()
  .trim()
  .min(1)
  .max(maxAddress)
  .describe("The page's address: https://example.org/page")

/**
 * Parses an address; without a scheme, https is used.
 *
 * @throws ToolFailure if it is invalid
 */
export const readAddress = (text: string): URL => {
  const full = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`
  if (!URL.canParse(full))
    throw new ToolFailure('The address is not that of a web page. Use one such as https://example.org/page.')
  return new URL(full)
}
