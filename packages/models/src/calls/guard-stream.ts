import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { classifyModelFailure } from '../failures/classify-model-failure.ts'
import { ModelCallFailed } from '../failures/model-call-failed.ts'
import { safeModelError } from '../failures/safe-model-error.ts'
import type { CallWatch } from './call-watch.ts'
import type { CircuitPass } from './circuit-breaker.ts'
import { PartFilter } from './part-filter.ts'

type Part = LanguageModelV4StreamPart

/** An answer whose first part has come. */
export interface BegunStream {
  readonly reader: ReadableStreamDefaultReader<Part>
  /** All parts up to the first of the answer. */
  readonly parts: readonly Part[]
  readonly watch: CallWatch
  readonly pass: CircuitPass
  readonly stallMs: number
  /** Whether chunks as they came are passed on. */
  readonly raw: boolean
}

const noUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/** How many parts may wait for a reader. */
const buffered = 16

/** Parts that say nothing of the answer. */
const besides: ReadonlySet<Part['type']> = new Set(['stream-start', 'response-metadata', 'raw', 'ping'])

/** Whether a part is the end of an answer that is not whole. */
export const isBreak = (part: Part): boolean =>
  part.type === 'finish' && (part.finishReason.unified === 'interrupted' || part.finishReason.unified === 'error')

/** Whether a part belongs to the answer itself, so that the call can no longer be repeated. */
export const isOfAnswer = (part: Part): boolean => !besides.has(part.type)

/**
 * The rest of an answer, guarded: every part passes the filter, the first fault ends it with one error that is safe to
 * show and a finish, and so does a provider that stalls. Nothing comes after a finish.
 */
export const guardStream = (begun: BegunStream): ReadableStream<Part> => {
  let guarded: GuardedStream
  return new ReadableStream<Part>(
    {
      start(controller) {
        guarded = new GuardedStream(begun, controller)
      },
      pull: () => guarded.read(),
      cancel() {
        guarded.leave()
      },
    },
    { highWaterMark: buffered },
  )
}

class GuardedStream {
  readonly #begun: BegunStream
  readonly #controller: ReadableStreamDefaultController<Part>
  readonly #filter: PartFilter
  #ended = false

  constructor(begun: BegunStream, controller: ReadableStreamDefaultController<Part>) {
    this.#begun = begun
    this.#controller = controller
    this.#filter = new PartFilter(part => controller.enqueue(part), begun.raw)
    begun.watch.handOver(begun.stallMs, cut => {
      if (cut.kind === 'late') this.#fail(new ModelCallFailed('model_timeout'))
      else if (this.leave()) controller.error(cut.reason)
    })
    for (const part of begun.parts) this.#take(part)
  }

  /** Reads until enough waits for a reader, or the stream has ended. */
  async read(): Promise<void> {
    const { reader, watch } = this.#begun
    watch.waits(true)
    try {
      while (!this.#ended && (this.#controller.desiredSize ?? 0) > 0) {
        const { done, value } = await reader.read()
        if (done) this.#fail(new ModelCallFailed('model_bad_response'))
        else {
          if (isOfAnswer(value)) watch.came()
          this.#take(value)
        }
      }
    } catch (error) {
      this.#fail(error)
    }
    watch.waits(false)
  }

  /** Nobody wants the rest any more; false when the stream had ended. */
  leave(): boolean {
    if (!this.#breakOff()) return false
    this.#begun.pass.dropped()
    return true
  }

  #take(part: Part): void {
    if (this.#ended) return
    try {
      if (part.type === 'error') throw part.error
      if (isBreak(part)) throw new ModelCallFailed('model_bad_response')
      this.#filter.take(part)
    } catch (error) {
      this.#fail(error)
    }
    if (part.type !== 'finish' || this.#ended) return
    this.#ended = true
    this.#begun.watch.end()
    this.#begun.reader.cancel().catch(() => {})
    this.#begun.pass.worked()
    this.#controller.close()
  }

  #fail(error: unknown): void {
    if (!this.#breakOff()) return
    const { pass } = this.#begun
    if (classifyModelFailure(error).retryable) pass.failed()
    else pass.answered()
    this.#controller.enqueue({ type: 'error', error: safeModelError(error) })
    this.#controller.enqueue({ type: 'finish', finishReason: { unified: 'error', raw: undefined }, usage: noUsage })
    this.#controller.close()
  }

  #breakOff(): boolean {
    if (this.#ended) return false
    this.#ended = true
    this.#begun.watch.breakOff()
    this.#begun.reader.cancel().catch(() => {})
    return true
  }
}
