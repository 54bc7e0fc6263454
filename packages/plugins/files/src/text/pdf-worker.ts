import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '@sibyl/plugin'
import { type PdfLimits, type PdfText, readPdf } from './read-pdf.ts'

export interface PdfJob {
  readonly content: Uint8Array
  readonly limits: PdfLimits
}

const post = (message: WorkerMessage<PdfText>) => parentPort?.postMessage(message)

// A separate thread: a PDF that takes too much time or memory ends only this thread.
parentPort?.on('message', async ({ content, limits }: PdfJob) => {
  post({ kind: 'begun' })
  post({ kind: 'result', value: await readPdf(content, limits) })
})
post({ kind: 'ready' })
