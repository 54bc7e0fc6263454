import { createRequire } from 'node:module'
import { type LineLimits, type WaitingLine, WorkerPool, workerErrors } from '@sibyl/plugin'
import type { CountedActor, personFiles, ServiceOf } from '@sibyl/protocol'
import { filesErrors } from '../definitions/files-errors.ts'
import type { PdfJob } from './pdf-worker.ts'
import type { PdfLimits, PdfText } from './read-pdf.ts'

type FileText = NonNullable<Awaited<ReturnType<ServiceOf<typeof personFiles>['readPdf']>>>

/** Limits of the PDFs that this process reads, one after the other on a thread, and that wait. */
export const pdfLine: LineLimits = { running: 1, waiting: 50, waitingPerHolder: 10, waitMs: 60_000 }

const usualLimits: PdfLimits = { pages: 200, characters: 400_000 }
/** The number of texts that are kept for the next turns of a conversation. */
const maxKept = 20
/** The most memory that the process may gain while a PDF is read: a thread's limit leaves out decompressed bytes. */
const maxExtraBytes = 600_000_000
/** The part of the memory that the machine has left which a PDF may take, and the least that one needs. */
const memoryShare = 0.6
const leastExtraBytes = 60_000_000
const pollMs = 20

export interface PdfReaderOptions {
  /** PDFs that wait for a thread: `host.limits.line(pdfLine)`. */
  readonly line: WaitingLine
  /** Milliseconds that one PDF may take. @default 30_000 */
  readonly timeLimitMs?: number
  readonly limits?: PdfLimits
  /** Returns the memory that the machine, or the container, has left. @default process.availableMemory */
  readonly availableBytes?: () => number
}

/** A PDF whose text is wanted. */
export interface PdfToRead {
  readonly actor: CountedActor
  readonly sha256: string
  readonly content: Uint8Array
  readonly signal?: AbortSignal | undefined
}

/** Reads the text of PDFs on threads, so that none delays the oracle. */
export class PdfReader {
  readonly #options: PdfReaderOptions
  readonly #pool: WorkerPool<PdfJob, PdfText>
  /** Texts by the hash of the PDF, that read last at the end. */
  readonly #kept = new Map<string, PdfText>()

  constructor(options: PdfReaderOptions) {
    this.#options = options
    const file = createRequire(import.meta.url).resolve('@sibyl/plugin-files/pdf-worker')
    this.#pool = new WorkerPool({ file, memoryMb: 256 })
  }

  /** @throws `pdf_locked`, `pdf_broken`, `pdf_too_much`, `pdf_reader_busy`; the reason of the signal */
  async read(pdf: PdfToRead): Promise<FileText> {
    const text = this.#kept.get(pdf.sha256) ?? (await this.#run(pdf))
    this.#kept.delete(pdf.sha256)
    this.#kept.set(pdf.sha256, text)
    for (const oldest of this.#kept.keys()) if (this.#kept.size > maxKept) this.#kept.delete(oldest)
    if (!('fault' in text)) return text
    throw text.fault === 'locked' ? filesErrors.pdf_locked() : filesErrors.pdf_broken()
  }

  /** Ends the threads. May be called again. */
  close(): Promise<void> {
    this.#kept.clear()
    return this.#pool.close()
  }

  /** Forgets all texts, since a person is erased. */
  forget(): void {
    this.#kept.clear()
  }

  async #run({ actor, content, signal = new AbortController().signal }: PdfToRead): Promise<PdfText> {
    const { line, timeLimitMs = 30_000, limits = usualLimits, availableBytes = process.availableMemory } = this.#options
    const place = await line.enter(actor, signal)
    if ('full' in place) throw filesErrors.pdf_reader_busy()
    const extraBytes = Math.min(maxExtraBytes, availableBytes() * memoryShare)
    if (extraBytes < leastExtraBytes) {
      place.release()
      throw filesErrors.pdf_reader_busy()
    }
    const tooMuch = new AbortController()
    const before = process.memoryUsage.rss()
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > extraBytes) tooMuch.abort(workerErrors.worker_crashed())
    }, pollMs)
    try {
      const stopped = AbortSignal.any([signal, tooMuch.signal])
      return await this.#pool.run({ content, limits }, { timeLimitMs, signal: stopped })
    } catch (cause) {
      const isTooMuch = workerErrors.worker_timed_out.is(cause) || workerErrors.worker_crashed.is(cause)
      throw isTooMuch ? filesErrors.pdf_too_much({ cause }) : cause
    } finally {
      clearInterval(watch)
      place.release()
    }
  }
}
