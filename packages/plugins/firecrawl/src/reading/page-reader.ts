import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { type LineLimits, ToolFailure, type WaitingLine } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import { defaultReadingLimits, type PageText, type ReadingLimits } from './page-text.ts'
import type { ReadingJob, ReadingResult } from './page-worker.ts'

/** Reads pages of HTML in threads, so that none holds the oracle up. */
export interface PageReader {
  /**
   * One page of a holder is read at a time, and whoever was served last waits behind the others.
   *
   * @param address where the page is
   * @throws ToolFailure where it takes too long or too much memory, or too many wait; the reason of the signal
   */
  read(html: string, address: URL, wish: ReadingWish): Promise<PageText>
  /** Ends the threads. May be called again. */
  close(): Promise<void>
}

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

/** Memory of a thread: a page of the largest size takes a third of it. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** Makes a reader. Threads start when they are needed, and none keeps the process from ending. */
export const createPageReader = ({
  line,
  timeLimitMs = 8_000,
  idleMs = 60_000,
  limits = defaultReadingLimits,
}: PageReaderOptions): PageReader => {
  const file = createRequire(import.meta.url).resolve('@sibyl/plugin-firecrawl/page-worker')
  const all = new Set<Worker>()
  const idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = []
  let isClosed = false

  const start = (): Worker => {
    const worker = new Worker(file, { resourceLimits, stdout: true, stderr: true, env: {} })
    worker.unref()
    all.add(worker)
    worker.once('exit', () => all.delete(worker))
    // What is told while nothing is read: the thread ends by itself.
    worker.on('error', () => {})
    return worker
  }

  const take = (): Worker => {
    const kept = idle.pop()
    clearTimeout(kept?.timer)
    return kept && all.has(kept.worker) ? kept.worker : start()
  }

  const giveBack = (worker: Worker): void => {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex(one => one.worker === worker),
        1,
      )
      void worker.terminate()
    }, idleMs).unref()
    idle.push({ worker, timer })
  }

  const run = async (worker: Worker, job: ReadingJob, signal: AbortSignal): Promise<ReadingResult> => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadingResult>()
    const fail = () => reject(new ToolFailure(tooMuch))
    const abort = () => reject(signal.reason)
    const timer = setTimeout(fail, timeLimitMs)
    signal.addEventListener('abort', abort, { once: true })
    worker.once('message', resolve).once('exit', fail).postMessage(job)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      worker.off('message', resolve).off('exit', fail)
    }
  }

  return {
    async read(html, address, { wantsWhole, actor, signal }) {
      const place = await line.enter(actor, signal)
      if ('full' in place) throw new ToolFailure(tooMany[place.full])
      const worker = take()
      try {
        const page = await run(worker, { html, url: address.href, wantsWhole, limits }, signal)
        if (isClosed) await worker.terminate()
        else giveBack(worker)
        if (!page) throw new ToolFailure('The page cannot be read: its markup is broken.')
        return page
      } catch (error) {
        if (!idle.some(one => one.worker === worker)) await worker.terminate()
        throw error
      } finally {
        place.release()
      }
    },
    async close() {
      isClosed = true
      for (const { timer } of idle.splice(0)) clearTimeout(timer)
      await Promise.all([...all].map(worker => worker.terminate()))
    },
  }
}

const tooMuch = 'The page takes too much to read: it is too large, or made to harm.'
