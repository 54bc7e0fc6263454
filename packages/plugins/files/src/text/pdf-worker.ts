import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '@sibyl/plugin'
import { type PdfLimits, type PdfText, readPdf } from './read-pdf.ts'

/** A PDF to read. */
export interface PdfJob {
  readonly content: Uint8Array
  readonly limits: PdfLimits
}

const post = (message: WorkerMessage<PdfText>) => parentPort?.postMessage(message)

// A thread of its own: a PDF that takes long or takes much memory ends it, and nothing else.
parentPort?.on('message', async ({ content, limits }: PdfJob) => {
  post({ kind: 'begun' })
  post({ kind: 'result', value: await readPdf(content, limits) })
})
post({ kind: 'ready' })
