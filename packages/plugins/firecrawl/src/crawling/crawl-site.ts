import { isToolFailure, pause, ToolFailure } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import { type Page, type PageLibrary, withoutFragment } from '../pages/page-library.ts'

export interface CrawlWish {
  readonly start: URL
  /** Pages at most. */
  readonly limit: number
  /** How many links away from the start. */
  readonly depth: number
  readonly actor: CountedActor
  /** Counts a request that is about to be sent; rejects where it is one too many. */
  admit(): Promise<void>
  /** Told of each page that was read. */
  onPage(page: Page, found: number): void
  readonly signal: AbortSignal
}

/** Reads the pages of a site. Throws a `ToolFailure` where the first page cannot be read, and the reason of the signal. */
export type CrawlSite = (wish: CrawlWish) => Promise<Crawl>

/** How it is done. */
export interface CrawlOptions {
  readonly library: PageLibrary
  /** Milliseconds from one request to the next. */
  readonly pauseMs: number
  /** Milliseconds for all of it; what was read until then is the result. */
  readonly timeLimitMs: number
}

/** What came of a crawl. */
export interface Crawl {
  /** In the order in which they were found, the nearest first. */
  readonly pages: readonly Page[]
  /** Pages that could not be read, and why. */
  readonly skipped: readonly { readonly url: string; readonly reason: string }[]
  /** Why it ended before it was done. */
  readonly stopped: string | undefined
}

interface Waiting {
  readonly url: string
  readonly depth: number
  readonly place: number
}

const concurrency = 2
const maxSkipped = 20
/** Links that wait, however many a site has. */
const maxWaiting = 5_000

/**
 * Reads a page and those that it leads to, within its site, the nearest ones first.
 *
 * @throws ToolFailure where the first page cannot be read; the reason of the signal
 */
export const crawlSite = async (wish: CrawlWish, { library, pauseMs, timeLimitMs }: CrawlOptions): Promise<Crawl> => {
  const { limit, depth, actor, signal } = wish
  const time = AbortSignal.timeout(timeLimitMs)
  const over = new AbortController()
  const ended = AbortSignal.any([signal, time, over.signal])
  const pace = createSitePace(pauseMs)
  const seen = new Set<string>()
  const read: { readonly page: Page; readonly place: number }[] = []
  const skipped: { readonly url: string; readonly reason: string }[] = []
  const waiting: Waiting[] = []
  let scope = crawlScope(wish.start)
  let found = 0
  let stopped: string | undefined

  const add = (url: string, at: number): void => {
    if (seen.has(url) || waiting.length >= maxWaiting) return
    seen.add(url)
    waiting.push({ url, depth: at, place: found++ })
  }

  const fetchPage = (url: string): Promise<Page> => {
    const admit = async () => {
      await wish.admit().catch((error: unknown) => {
        stopped ??= error instanceof Error ? error.message : undefined
        over.abort(error)
        throw error
      })
      await pace.turn(ended)
    }
    return library.page(new URL(url), { wantsWhole: false, actor, admit, signal: ended })
  }

  const take = (page: Page, { url, depth: at, place }: Waiting): void => {
    pace.slow(page.crawlDelay)
    if (place === 0 && !scope(page.url)) scope = crawlScope(new URL(page.url))
    const known = page.url !== url && seen.has(page.url)
    const isCopy =
      page.canonical !== undefined && page.canonical !== url && page.canonical !== page.url && seen.has(page.canonical)
    if (known || isCopy || !scope(page.url) || read.length >= limit) return
    seen.add(page.url)
    if (page.canonical !== undefined) seen.add(page.canonical)
    if (page.markdown.trim() === '') skip(url, 'It has no text.')
    else {
      read.push({ page, place })
      wish.onPage(page, found)
    }
    if (at >= depth) return
    for (const link of page.links) if (!link.noFollow && scope(link.url)) add(link.url, at + 1)
  }

  const skip = (url: string, reason: string): void => {
    if (skipped.length < maxSkipped) skipped.push({ url, reason })
  }

  const visit = async (one: Waiting): Promise<void> => {
    try {
      take(await fetchPage(one.url), one)
    } catch (error) {
      if (ended.aborted || one.place === 0 || !isToolFailure(error)) throw error
      skip(one.url, error.message)
    }
  }

  /** As many at once as there may be, and no more than are still wanted. */
  const visitAll = async (): Promise<void> => {
    const running = new Set<Promise<void>>()
    for (;;) {
      while (running.size < concurrency && read.length + running.size < limit) {
        const next = waiting.shift()
        if (!next) break
        const visiting = visit(next).finally(() => running.delete(visiting))
        running.add(visiting)
      }
      if (running.size === 0) return
      await Promise.race(running)
    }
  }

  add(withoutFragment(wish.start), 0)
  try {
    await visitAll()
  } catch (error) {
    signal.throwIfAborted()
    over.abort(error)
    if (read.length === 0 && !time.aborted) throw error
    if (time.aborted) stopped ??= `The crawl took longer than ${timeLimitMs / 1_000} s.`
    if (stopped === undefined) throw error
    if (read.length === 0) throw new ToolFailure(stopped)
  }
  return { pages: read.toSorted((one, other) => one.place - other.place).map(({ page }) => page), skipped, stopped }
}

/** Which addresses belong to a crawl. */
export type CrawlScope = (url: string) => boolean

/** Files that are not read anyway. */
const files =
  /\.(?:pdf|png|jpe?g|gif|webp|avif|svg|ico|mp[34]|webm|ogg|wav|zip|gz|tgz|bz2|xz|7z|rar|exe|dmg|iso|docx?|xlsx?|pptx?|odt|epub|woff2?|ttf|css|js)$/i

/** The pages of one site below the folder of the first one: of `/docs/start` all of `/docs/`. */
export const crawlScope = (start: URL): CrawlScope => {
  const folder = start.pathname.replace(/[^/]*$/, '')
  return url => {
    const { origin, pathname } = new URL(url)
    return origin === start.origin && pathname.startsWith(folder) && !files.test(pathname)
  }
}

/** A site that asks for longer pauses gets these, in milliseconds. */
const longestPauseMs = 10_000

/** Creates what has requests to a site begin one after the other. @param pauseMs From one beginning to the next. */
export const createSitePace = (pauseMs: number) => {
  let gap = pauseMs
  let next = 0
  return {
    /** Resolves when the next request may begin; rejects with the reason of the signal. */
    async turn(signal: AbortSignal) {
      for (let now = performance.now(); now < next; now = performance.now()) {
        await pause(next - now, signal)
      }
      next = performance.now() + gap
    },
    /** Makes the pause longer, as a site requests it. */
    slow(seconds: number | undefined) {
      if (seconds === undefined) return
      const longer = Math.max(gap, Math.min(seconds * 1_000, longestPauseMs))
      next += longer - gap
      gap = longer
    },
  }
}
