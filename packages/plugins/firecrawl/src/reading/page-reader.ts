import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { ToolFailure } from '@sibyl/core'
import { defaultReadingLimits, type PageText, type ReadingLimits } from './page-text.ts'
import type { ReadingJob, ReadingResult } from './page-worker.ts'

/** Reads pages of HTML in threads, so that none holds the oracle up. */
export interface PageReader {
  /**
   * One page of a person is read at a time, and who was served last waits behind the others.
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
  /** Whom it is read for. */
  readonly actorDid: string
  readonly signal: AbortSignal
}

/** How pages are read. */
export interface PageReaderOptions {
  /** Milliseconds that one page may take. @default 8_000 */
  readonly timeLimitMs?: number
  /** Threads at the same time; other pages wait. @default 2 */
  readonly maxThreads?: number
  /** Milliseconds after which a thread without work ends. @default 60_000 */
  readonly idleMs?: number
  readonly limits?: ReadingLimits
}

/** More pages do not wait: of all, and of one person. */
const maxWaiting = 50
const maxWaitingEach = 10

/** Memory of a thread: a page of the largest size takes a third of it. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** Makes a reader. Threads start when they are needed, and none keeps the process from ending. */
export const createPageReader = ({
  timeLimitMs = 8_000,
  maxThreads = 2,
  idleMs = 60_000,
  limits = defaultReadingLimits,
}: PageReaderOptions = {}): PageReader => {
  const file = createRequire(import.meta.url).resolve('@sibyl/plugin-firecrawl/page-worker')
  const all = new Set<Worker>()
  const idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = []
  /** Whom a page is read for. */
  const served = new Set<string>()
  /** The next one first. */
  const waiting: { readonly actorDid: string; readonly start: () => void }[] = []
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

  /** Gives a free thread to the first who waits and has none. */
  const serveNext = (): void => {
    if (served.size >= maxThreads) return
    const index = waiting.findIndex(({ actorDid }) => !served.has(actorDid))
    const [next] = index < 0 ? [] : waiting.splice(index, 1)
    if (!next) return
    served.add(next.actorDid)
    next.start()
  }

  /** Waits for its turn. */
  const enter = async (actorDid: string, signal: AbortSignal): Promise<void> => {
    if (waiting.length >= maxWaiting) throw new ToolFailure('Too many pages are being read just now. Try again later.')
    if (waiting.filter(one => one.actorDid === actorDid).length >= maxWaitingEach)
      throw new ToolFailure('Too many of your pages are being read just now. Try again when they are.')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const turn = {
      actorDid,
      start() {
        signal.removeEventListener('abort', abort)
        resolve()
      },
    }
    const abort = () => {
      waiting.splice(waiting.indexOf(turn), 1)
      reject(signal.reason)
    }
    waiting.push(turn)
    signal.addEventListener('abort', abort, { once: true })
    serveNext()
    await promise
  }

  /** Whoever was served waits behind the others with the rest. */
  const leave = (actorDid: string): void => {
    served.delete(actorDid)
    waiting.sort((one, other) => Number(one.actorDid === actorDid) - Number(other.actorDid === actorDid))
    serveNext()
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
    async read(html, address, { wantsWhole, actorDid, signal }) {
      signal.throwIfAborted()
      await enter(actorDid, signal)
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
        leave(actorDid)
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
