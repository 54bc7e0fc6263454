import { type Clock, ToolFailure } from '@sibyl/plugin'
import { z } from 'zod'
import { escapeMarkdown } from '../reading/markdown-text.ts'
import type { ReadingWish } from '../reading/page-reader.ts'
import type { PageText } from '../reading/page-text.ts'

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

/** A page as one text: title, author and date, then what it says. All of it is the page's own word. */
export const pageDocument = ({ title, byline, published, markdown }: Page): string => {
  const heading = title === '' ? '' : `# ${escapeMarkdown(title)}`
  const beginning = markdown.slice(0, 1_000).split('\n')
  const isInText = ['', '#', '##'].some(more => beginning.includes(`${more}${heading}`))
  const facts = [byline, published].filter(fact => fact !== undefined).join(', ')
  return [isInText ? '' : heading, escapeMarkdown(facts), markdown].filter(text => text !== '').join('\n\n')
}

export interface TextPiece {
  readonly text: string
  /** Where the rest begins; undefined where there is none. */
  readonly nextOffset: number | undefined
}

/** How far back an end of a line or word is looked for, in characters. */
const slack = 200

/** Cuts a piece out of a text, at the end of a line or a word where there is one near. */
export const cutText = (text: string, offset: number, max: number): TextPiece => {
  const end = offset + max
  if (end >= text.length) return { text: text.slice(offset), nextOffset: undefined }
  const tail = text.slice(Math.max(offset + 1, end - slack), end)
  const at = Math.max(tail.lastIndexOf('\n'), tail.lastIndexOf(' '))
  const cut = at >= 0 ? end - tail.length + at + 1 : end - Number(/[\uD800-\uDBFF]$/.test(tail))
  const nextOffset = cut > offset ? cut : end
  return { text: text.slice(offset, nextOffset), nextOffset }
}

/** Keeps values for a while, the ones unused for longest go first. */
export interface SizedCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/** How much is kept. */
export interface SizedCacheOptions<Value> {
  readonly clock: Clock
  readonly lifetimeMs: number
  /** The most of all sizes together. */
  readonly maxSize: number
  readonly sizeOf: (value: Value) => number
}

/** Makes an empty cache. */
export const createSizedCache = <Value>(options: SizedCacheOptions<Value>): SizedCache<Value> => {
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

/** The longest address that is taken, in characters. */
const maxAddress = 2_000

/** An address as a model or a person writes it. */
export const addressInput = z
  .string()
  .trim()
  .min(1)
  .max(maxAddress)
  .describe("The page's address: https://example.org/page")

/**
 * Reads an address: without a scheme it is taken for https.
 *
 * @throws ToolFailure where it is none
 */
export const readAddress = (text: string): URL => {
  const full = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`
  if (!URL.canParse(full))
    throw new ToolFailure('This is not the address of a page. Give one such as https://example.org/page.')
  return new URL(full)
}
