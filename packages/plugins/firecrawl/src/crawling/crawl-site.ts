import { isToolFailure, pause, ToolFailure } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import { type Page, type PageLibrary, withoutFragment } from '../pages/page-library.ts'

export interface CrawlRequest {
  readonly start: URL
  /** Maximum number of pages. */
  readonly limit: number
  /** Maximum number of links from the start. */
  readonly depth: number
  readonly actor: CountedActor
  /** Counts a request before it is sent; rejects if it exceeds the limit. */
  admit(): Promise<void>
  /** Called for each page that was read. */
  onPage(page: Page, found: number): void
  readonly signal: AbortSignal
}

/** Reads the pages of a site. Throws a `ToolFailure` if the first page cannot be read, and the reason of the signal. */
export type CrawlSite = (wanted: CrawlRequest) => Promise<Crawl>

export interface CrawlOptions {
  readonly library: PageLibrary
  /** Milliseconds between the starts of two requests. */
  readonly pauseMs: number
  /** Time limit in milliseconds; pages that were read by then are the result. */
  readonly timeLimitMs: number
}

export interface Crawl {
  /** Pages in the order in which they were found, nearest first. */
  readonly pages: readonly Page[]
  /** Pages that could not be read, with reasons. */
  readonly skipped: readonly { readonly url: string; readonly reason: string }[]
  /** Reason why it ended early. */
  readonly stopped: string | undefined
}

interface Waiting {
  readonly url: string
  readonly depth: number
  readonly place: number
}

const concurrency = 2
const maxSkipped = 20
/** Maximum number of queued links. */
const maxWaiting = 5_000

/**
 * Reads a page and the pages that it links to, within its site, nearest first.
 *
 * @throws ToolFailure if the first page cannot be read; the reason of the signal
 */
export const crawlSite = async (
  wanted: CrawlRequest,
  { library, pauseMs, timeLimitMs }: CrawlOptions,
): Promise<Crawl> => {
  const { limit, depth, actor, signal } = wanted
  const time = AbortSignal.timeout(timeLimitMs)
  const over = new AbortController()
  const ended = AbortSignal.any([signal, time, over.signal])
  const pace = createSitePace(pauseMs)
  const seen = new Set<string>()
  const read: { readonly page: Page; readonly place: number }[] = []
  const skipped: { readonly url: string; readonly reason: string }[] = []
  const waiting: Waiting[] = []
  let scope = crawlScope(wanted.start)
  let found = 0
  let stopped: string | undefined

  const add = (url: string, at: number): void => {
    if (seen.has(url) || waiting.length >= maxWaiting) return
    seen.add(url)
    waiting.push({ url, depth: at, place: found++ })
  }

  const fetchPage = (url: string): Promise<Page> => {
    const admit = async () => {
      await wanted.admit().catch((error: unknown) => {
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
    if (page.markdown.trim() === '') skip(url, 'The page has no text.')
    else {
      read.push({ page, place })
      wanted.onPage(page, found)
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

  /** Runs the allowed number of requests at once, up to the number of wanted pages. */
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

  add(withoutFragment(wanted.start), 0)
  try {
    await visitAll()
  } catch (error) {
    signal.throwIfAborted()
    over.abort(error)
    if (read.length === 0 && !time.aborted) throw error
    if (time.aborted) stopped ??= `The crawl exceeded its time limit of ${timeLimitMs / 1_000} s.`
    if (stopped === undefined) throw error
    if (read.length === 0) throw new ToolFailure(stopped)
  }
  return { pages: read.toSorted((one, other) => one.place - other.place).map(({ page }) => page), skipped, stopped }
}

/** Returns whether an address belongs to a crawl. */
export type CrawlScope = (url: string) => boolean

/** Extensions of files that are not read. */
const files =
  /\.(?:pdf|png|jpe?g|gif|webp|avif|svg|ico|mp[34]|webm|ogg|wav|zip|gz|tgz|bz2|xz|7z|rar|exe|dmg|iso|docx?|xlsx?|pptx?|odt|epub|woff2?|ttf|css|js)$/i

/**
 * Creates the scope of a crawl: pages of one site below the folder of the first one. For `/docs/start` that is
 * `/docs/`.
 */
const crawlScope = (start: URL): CrawlScope => {
  const folder = start.pathname.replace(/[^/]*$/, '')
  return url => {
    const { origin, pathname } = new URL(url)
    return origin === start.origin && pathname.startsWith(folder) && !files.test(pathname)
  }
}

/** Maximum pause that a site can request, in milliseconds. */
const longestPauseMs = 10_000

/** Creates the pacing of requests to a site: one after the other. @param pauseMs Milliseconds between two starts. */
export const createSitePace = (pauseMs: number) => {
  let gap = pauseMs
  let next = 0
  return {
    /** Resolves when the next request may start; rejects with the reason of the signal. */
    async turn(signal: AbortSignal) {
      for (let now = performance.now(); now < next; now = performance.now()) {
        await pause(next - now, signal)
      }
      next = performance.now() + gap
    },
    /** Lengthens the pause as requested by a site. */
    slow(seconds: number | undefined) {
      if (seconds === undefined) return
      const longer = Math.max(gap, Math.min(seconds * 1_000, longestPauseMs))
      next += longer - gap
      gap = longer
    },
  }
}
