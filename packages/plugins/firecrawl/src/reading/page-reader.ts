import { createRequire } from 'node:module'
import { type LineLimits, ToolFailure, type WaitingLine, WorkerPool, workerErrors } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import { defaultReadingLimits, type PageText, type ReadingLimits } from './page-text.ts'
import type { ReadingJob, ReadingResult } from './page-worker.ts'

export type PageReader = ReturnType<typeof createPageReader>

/** How a page is to be read. */
export interface ReadingWish {
  /** All of it rather than the article. */
  readonly wantsWhole: boolean
  readonly actor: CountedActor
  readonly signal: AbortSignal
}

export interface PageReaderOptions {
  /** Pages that wait for a thread: `host.limits.line(pageLine)`. */
  readonly line: WaitingLine
  /** Milliseconds that one page may take. @default 8_000 */
  readonly timeLimitMs?: number
  /** Milliseconds after which a thread without work ends. @default 60_000 */
  readonly idleMs?: number
  readonly limits?: ReadingLimits
}

/** How many pages are read, each in a thread, and wait in this process. */
export const pageLine: LineLimits = { running: 2, waiting: 50, waitingPerHolder: 10 }

const tooMany = {
  holder: 'Too many of your pages are being read just now. Try again when they are.',
  origin: 'Too many pages of your address are being read just now. Try again later.',
  all: 'Too many pages are being read just now. Try again later.',
  late: 'Other pages took too long. Try again later.',
} as const

const tooMuch = 'The page takes too much to read: it is too large, or made to harm.'

/**
 * Creates a reader of HTML on threads, so that none holds the oracle up. One page of a holder is read at a time, and the holder
 * served last waits behind the others.
 */
export const createPageReader = ({
  line,
  timeLimitMs = 8_000,
  idleMs = 60_000,
  limits = defaultReadingLimits,
}: PageReaderOptions) => {
  const file = createRequire(import.meta.url).resolve('@sibyl/plugin-firecrawl/page-worker')
  // A page of the largest size takes a third of the memory.
  const worker = { resourceLimits: { maxYoungGenerationSizeMb: 32 } }
  const pool = new WorkerPool<ReadingJob, ReadingResult>({ file, memoryMb: 256, idleMs, worker })
  return {
    /** @throws ToolFailure where it takes too much time or memory, or too many wait; the reason of the signal */
    async read(html: string, address: URL, { wantsWhole, actor, signal }: ReadingWish): Promise<PageText> {
      const place = await line.enter(actor, signal)
      if ('full' in place) throw new ToolFailure(tooMany[place.full])
      try {
        const page = await pool.run({ html, url: address.href, wantsWhole, limits }, { timeLimitMs, signal })
        if (!page) throw new ToolFailure('The page cannot be read: its markup is broken.')
        return page
      } catch (cause) {
        const isTooMuch = workerErrors.worker_timed_out.is(cause) || workerErrors.worker_crashed.is(cause)
        throw isTooMuch ? new ToolFailure(tooMuch, { cause }) : cause
      } finally {
        place.release()
      }
    },
    /** Ends the threads. May be called again. */
    close: () => pool.close(),
  }
}
