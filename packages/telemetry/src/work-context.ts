import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogFields } from '@sibyl/plugin/host'
import type { Span } from './span.ts'

/** The current work: a request, a turn, a tool call or a job. */
export interface Work {
  /** Fields of every log line about it: `requestId`, `turn`, `tool`, `job`. */
  readonly fields: LogFields
  /** Its span, where it is traced. */
  readonly span?: Span | undefined
}

/** The context of the running code, including code of plugins that do not pass it on. */
export class WorkContext {
  readonly #storage = new AsyncLocalStorage<Work>()

  /** The work of the calling code. */
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
