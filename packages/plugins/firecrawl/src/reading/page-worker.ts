import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '@sibyl/plugin'
import type { PageText, ReadingLimits } from './page-text.ts'
import { readHtml } from './read-html.ts'

/** A page to read. */
export interface ReadingJob {
  readonly html: string
  /** Where the page is. */
  readonly url: string
  /** All of it rather than the article. */
  readonly wantsWhole: boolean
  readonly limits: ReadingLimits
}

/** What became of it: the page, or nothing where it could not be read. */
export type ReadingResult = PageText | undefined

const post = (message: WorkerMessage<ReadingResult>) => parentPort?.postMessage(message)

// A thread of its own: a page that takes long or takes much memory ends it, and nothing else.
parentPort?.on('message', ({ html, url, wantsWhole, limits }: ReadingJob) => {
  post({ kind: 'begun' })
  let value: ReadingResult
  try {
    value = readHtml(html, new URL(url), wantsWhole, limits)
  } catch {}
  post({ kind: 'result', value })
})
post({ kind: 'ready' })
