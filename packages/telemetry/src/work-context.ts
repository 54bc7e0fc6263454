import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogFields } from '@sibyl/plugin'
import type { Span } from './span.ts'

/** What is being done: a request, a turn, a tool call or a job. */
export interface Work {
  /** What every log line about it carries: `requestId`, `turn`, `tool`, `job`. */
  readonly fields: LogFields
  /** Its span, where it is traced. */
  readonly span?: Span | undefined
}

/** Knows what the code that runs now is working on, also in a plugin that is never told. */
export class WorkContext {
  readonly #storage = new AsyncLocalStorage<Work>()

  /** What the code that asks is working on. */
  get current(): Work | undefined {
    return this.#storage.getStore()
  }

  /** Runs something as a piece of that work. */
  run<Result>(work: Work, run: () => Result): Result {
    return this.#storage.run(work, run)
  }

  /** That work with more fields, and with another span where there is one. */
  within(fields: LogFields, span?: Span, outer: Work | undefined = this.current): Work {
    return { fields: { ...outer?.fields, ...fields }, span: span ?? outer?.span }
  }
}
