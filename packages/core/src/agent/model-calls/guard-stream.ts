import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { classifyModelFailure } from '../model-failure.ts'
import type { CallWatch } from './call-watch.ts'
import type { CircuitPass } from './circuit-breaker.ts'
import { ModelCallFailed } from './model-call-failed.ts'
import { PartFilter } from './part-filter.ts'
import { safeModelError } from './safe-model-error.ts'

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
  const { reader, watch, pass } = begun
  const filter = new PartFilter(begun.raw)
  let ended = false

  const end = (): boolean => {
    if (ended) return false
    ended = true
    watch.end()
    reader.cancel().catch(() => {})
    return true
  }

  const fail = (controller: ReadableStreamDefaultController<Part>, error: unknown) => {
    if (!end()) return
    if (classifyModelFailure(error).retryable) pass.failed()
    else pass.answered()
    controller.enqueue({ type: 'error', error: safeModelError(error) })
    controller.enqueue({ type: 'finish', finishReason: { unified: 'error', raw: undefined }, usage: noUsage })
    controller.close()
  }

  const take = (controller: ReadableStreamDefaultController<Part>, part: Part) => {
    if (ended) return
    try {
      if (part.type === 'error') throw part.error
      if (isBreak(part)) throw new ModelCallFailed('model_bad_response')
      for (const one of filter.take(part)) controller.enqueue(one)
    } catch (error) {
      return fail(controller, error)
    }
    if (part.type !== 'finish' || !end()) return
    pass.worked()
    controller.close()
  }

  return new ReadableStream<Part>(
    {
      start(controller) {
        watch.handOver(begun.stallMs, cut => {
          if (cut.kind === 'late') return fail(controller, new ModelCallFailed('model_timeout'))
          if (!end()) return
          pass.dropped()
          controller.error(cut.reason)
        })
        for (const part of begun.parts) take(controller, part)
      },
      async pull(controller) {
        try {
          while (!ended && (controller.desiredSize ?? 0) > 0) {
            watch.waits(true)
            const { done, value } = await reader.read()
            watch.waits(false)
            if (ended) return
            if (done) return fail(controller, new ModelCallFailed('model_bad_response'))
            if (isOfAnswer(value)) watch.came()
            take(controller, value)
          }
        } catch (error) {
          fail(controller, error)
        }
      },
      cancel() {
        if (end()) pass.dropped()
      },
    },
    { highWaterMark: buffered },
  )
}
