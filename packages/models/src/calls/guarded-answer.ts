import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { classifyModelFailure } from '../failures/classify-model-failure.ts'
import { ModelCallFailed } from '../failures/model-call-failed.ts'
import { safeModelError } from '../failures/safe-model-error.ts'
import type { AnswerReader } from './answer-reader.ts'
import type { CallWatch } from './call-watch.ts'
import type { CircuitPass } from './circuit-breaker.ts'
import { PartFilter } from './part-filter.ts'

type Part = LanguageModelV4StreamPart

/** An answer whose first part has come. */
export interface BegunAnswer {
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

/** Parts that say nothing of the answer. */
const besides: ReadonlySet<Part['type']> = new Set(['stream-start', 'response-metadata', 'raw', 'ping'])

/** Whether a part is the end of an answer that is not whole. */
export const isBreak = (part: Part): boolean =>
  part.type === 'finish' && (part.finishReason.unified === 'interrupted' || part.finishReason.unified === 'error')

/** Whether a part belongs to the answer itself, so that the call can no longer be repeated. */
export const isOfAnswer = (part: Part): boolean => !besides.has(part.type)

/**
 * The rest of an answer, guarded: every part is filtered, and the first error or a stall ends it with one error that is
 * safe to show and a finish. Nothing follows a finish.
 */
export class GuardedAnswer implements AnswerReader {
  readonly #begun: BegunAnswer
  readonly #filter: PartFilter
  /** Parts that passed the filter and were not read yet. */
  readonly #passed: Part[] = []
  #calledOff: { readonly reason: unknown } | undefined
  #ended = false

  constructor(begun: BegunAnswer) {
    this.#begun = begun
    this.#filter = new PartFilter(part => this.#passed.push(part), begun.raw)
    begun.watch.handOver(begun.stallMs, cut => {
      if (cut.kind === 'late') this.#fail(new ModelCallFailed('model_timeout'))
      else if (this.#leave()) this.#calledOff = cut
    })
    for (const part of begun.parts) this.#take(part)
  }

  async read(): Promise<Part | undefined> {
    while (this.#passed.length === 0 && !this.#ended) await this.#readMore()
    if (this.#calledOff) throw this.#calledOff.reason
    return this.#passed.shift()
  }

  cancel(): void {
    this.#leave()
  }

  async #readMore(): Promise<void> {
    const { reader, watch } = this.#begun
    watch.waits(true)
    try {
      const { done, value } = await reader.read()
      if (done) this.#fail(new ModelCallFailed('model_bad_response'))
      else {
        if (isOfAnswer(value)) watch.came()
        this.#take(value)
      }
    } catch (error) {
      this.#fail(error)
    }
    watch.waits(false)
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
  }

  #fail(error: unknown): void {
    if (!this.#breakOff()) return
    const { pass } = this.#begun
    if (classifyModelFailure(error).retryable) pass.failed()
    else pass.answered()
    this.#passed.push(
      { type: 'error', error: safeModelError(error) },
      { type: 'finish', finishReason: { unified: 'error', raw: undefined }, usage: noUsage },
    )
  }

  /** Cancels the rest; false if the answer had ended. */
  #leave(): boolean {
    if (!this.#breakOff()) return false
    this.#begun.pass.dropped()
    return true
  }

  #breakOff(): boolean {
    if (this.#ended) return false
    this.#ended = true
    this.#begun.watch.breakOff()
    this.#begun.reader.cancel().catch(() => {})
    return true
  }
}
