import { createRequire } from 'node:module'
import { type LineLimits, ToolFailure, type WaitingLine, WorkerPool, workerErrors } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import { defaultReadingLimits, type PageText, type ReadingLimits } from './page-text.ts'
import type { ReadingJob, ReadingResult } from './page-worker.ts'

export type PageReader = ReturnType<typeof createPageReader>

export interface ReadingRequest {
  /** True for the whole page instead of the article. */
  readonly wantsWhole: boolean
  readonly actor: CountedActor
  readonly signal: AbortSignal
}

export interface PageReaderOptions {
  /** Pages that wait for a thread: `host.limits.line(pageLine)`. */
  readonly line: WaitingLine
  /** Time limit for one page, in milliseconds. @default 8_000 */
  readonly timeLimitMs?: number
  /** Milliseconds after which an idle thread ends. @default 60_000 */
  readonly idleMs?: number
  readonly limits?: ReadingLimits
}

/** Number of pages that are converted at once, each in a thread, and that wait in this process. */
export const pageLine: LineLimits = { running: 2, waiting: 50, waitingPerHolder: 10 }

const tooMany = {
  holder: 'Too many of your pages are being read. Try again when they are done.',
  origin: 'Your address is reading too many pages. Try again later.',
  all: 'Too many pages are being read. Try again later.',
  late: 'The wait for other pages took too long. Try again later.',
} as const

const tooMuch = 'The page is too complex to read: it is too large, or hostile.'

/**
 * Creates a reader of HTML on threads, so that no page blocks the oracle. One page per holder is converted at a time,
 * and the holder that was served last waits behind the others.
 */
export const createPageReader = ({
  line,
  timeLimitMs = 8_000,
  idleMs = 60_000,
  limits = defaultReadingLimits,
}: PageReaderOptions) => {
  const file = createRequire(import.meta.url).resolve('@sibyl/plugin-firecrawl/page-worker')
  // A page of the maximum size takes a third of the memory.
  const pool = new WorkerPool<ReadingJob, ReadingResult>({ file, memoryMb: 256, idleMs })
  return {
    /** @throws ToolFailure if it takes too much time or memory, or if too many pages wait; the reason of the signal */
    async read(html: string, address: URL, { wantsWhole, actor, signal }: ReadingRequest): Promise<PageText> {
      const place = await line.enter(actor, signal)
      if ('full' in place) throw new ToolFailure(tooMany[place.full])
      try {
        const page = await pool.run({ html, url: address.href, wantsWhole, limits }, { timeLimitMs, signal })
        if (!page) throw new ToolFailure('The page cannot be read because its markup is invalid.')
        return page
      } catch (cause) {
        const isTooMuch = workerErrors.worker_timed_out.is(cause) || workerErrors.worker_crashed.is(cause)
        throw isTooMuch ? new ToolFailure(tooMuch, { cause }) : cause
      } finally {
        place.release()
      }
    },
    /** Ends the threads. It can be called repeatedly. */
    close: () => pool.close(),
  }
}
