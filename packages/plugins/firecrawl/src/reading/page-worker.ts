import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '@sibyl/plugin'
import type { PageText, ReadingLimits } from './page-text.ts'
import { readHtml } from './read-html.ts'

/** A page to convert. */
export interface ReadingJob {
  readonly html: string
  /** Address of the page. */
  readonly url: string
  /** True for the whole page instead of the article. */
  readonly wantsWhole: boolean
  readonly limits: ReadingLimits
}

/** Result of a conversion: the page, or undefined if it could not be converted. */
export type ReadingResult = PageText | undefined

const post = (message: WorkerMessage<ReadingResult>) => parentPort?.postMessage(message)

// A separate thread: a page that takes too much time or memory ends only this thread.
parentPort?.on('message', ({ html, url, wantsWhole, limits }: ReadingJob) => {
  post({ kind: 'begun' })
  let value: ReadingResult
  try {
    value = readHtml(html, new URL(url), wantsWhole, limits)
  } catch {}
  post({ kind: 'result', value })
})
post({ kind: 'ready' })
