import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import { ModelCallFailed } from '../failures/model-call-failed.ts'
import { portablePrompt } from '../portable/portable-prompt.ts'
import { type AnswerReader, type GuardedModel, streamOf } from './answer-reader.ts'
import { type CallCut, CallWatch } from './call-watch.ts'
import type { CircuitBreaker, CircuitPass } from './circuit-breaker.ts'
import { cleanText } from './clean-text.ts'
import { GuardedAnswer, isBreak, isOfAnswer } from './guarded-answer.ts'
import type { ModelCallLimits } from './model-call-limits.ts'
import { PartFilter } from './part-filter.ts'
import { type RetryRules, withRetries } from './with-retries.ts'

export interface ModelGuard extends RetryRules {
  readonly limits: ModelCallLimits
  readonly breaker: CircuitBreaker
  /** Whether the provider returns raw chunks, and may repeat the id of a tool call. */
  readonly readsChunks: boolean
}

/**
 * Guards a model: every call ends within its limits, with a result or a `ModelCallFailed`. A call without any response
 * is retried if useful, never one that has started to answer; a circuit breaker stops calls to a provider that fails
 * repeatedly; the prompt is in the form that every provider takes; and the output is filtered.
 */
export const guardModel = (model: LanguageModelV4, guard: ModelGuard): GuardedModel => {
  const begin = (options: LanguageModelV4CallOptions) => {
    const call = { ...options, prompt: portablePrompt(options.prompt) }
    return withRetries(guard, options.abortSignal, pass => beginGuarded(model, call, guard, pass))
  }
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    async beginAnswer(options) {
      return (await begin(options)).answer
    },
    async doStream(options) {
      const { result, answer } = await begin(options)
      return { ...result, stream: streamOf(answer) }
    },
    doGenerate: options => {
      const call = { ...options, prompt: portablePrompt(options.prompt) }
      return withRetries(guard, options.abortSignal, pass => generate(model, call, guard, pass))
    },
  }
}

interface GuardedResult {
  readonly result: LanguageModelV4StreamResult
  readonly answer: AnswerReader
}

const beginGuarded = async (
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  guard: ModelGuard,
  pass: CircuitPass,
): Promise<GuardedResult> => {
  const { firstByteMs, stallMs } = guard.limits
  const readsChunks = guard.readsChunks && (options.tools?.length ?? 0) > 0
  return untilCut(options.abortSignal, firstByteMs, async watch => {
    const inner = { ...options, abortSignal: watch.signal, ...(readsChunks ? { includeRawChunks: true } : {}) }
    const result = await model.doStream(inner)
    const reader = result.stream.getReader()
    const parts = await firstParts(reader)
    if (watch.signal.aborted) {
      reader.cancel().catch(() => {})
      throw new ModelCallFailed('model_aborted')
    }
    pass.answered()
    const raw = options.includeRawChunks === true
    return { result, answer: new GuardedAnswer({ reader, parts, watch, pass, stallMs, raw }) }
  })
}

const firstParts = async (
  reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
): Promise<readonly LanguageModelV4StreamPart[]> => {
  const parts: LanguageModelV4StreamPart[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (value?.type === 'error') throw value.error
    if (done || isBreak(value)) throw new ModelCallFailed('model_bad_response')
    if (isOfAnswer(value) || parts.length < maxPartsBefore) parts.push(value)
    if (isOfAnswer(value)) return parts
  }
}

/** Maximum buffered parts before the answer. */
const maxPartsBefore = 100

const generate = (
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  guard: ModelGuard,
  pass: CircuitPass,
): Promise<LanguageModelV4GenerateResult> =>
  untilCut(options.abortSignal, guard.limits.firstByteMs, async watch => {
    const result = await model.doGenerate({ ...options, abortSignal: watch.signal })
    watch.end()
    pass.worked()
    return { ...result, content: cleanContent(result.content) }
  })

const cleanContent = (content: readonly LanguageModelV4Content[]): LanguageModelV4Content[] => {
  const cleaned: LanguageModelV4Content[] = []
  const filter = new PartFilter(part => cleaned.push(part as LanguageModelV4Content), false)
  for (const part of content) {
    if (part.type === 'text' || part.type === 'reasoning') cleaned.push({ ...part, text: cleanText(part.text) })
    else if (part.type === 'tool-call') filter.take(part)
    else cleaned.push(part)
  }
  return cleaned
}

/** Does something under a watch that outlives it when it goes well, and is over when it fails or is cut. */
const untilCut = async <Result>(
  outer: AbortSignal | undefined,
  limitMs: number,
  work: (watch: CallWatch) => Promise<Result>,
): Promise<Result> => {
  const cut = Promise.withResolvers<never>()
  const watch = new CallWatch(outer, limitMs, how => cut.reject(cutError(how)))
  try {
    return await Promise.race([work(watch), cut.promise])
  } catch (error) {
    watch.breakOff()
    throw error
  }
}

const cutError = (cut: CallCut): unknown => (cut.kind === 'late' ? new ModelCallFailed('model_timeout') : cut.reason)
