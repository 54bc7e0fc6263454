import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4FinishReason,
  type LanguageModelV4Prompt,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { estimateTokens } from '../text/estimate-tokens.ts'
import { splitWords } from '../text/split-words.ts'
import { failTest, type OnViolation } from './strict/report-violation.ts'
import { ofCall } from './strict/strict-request.ts'
import { strictViolation } from './strict/strict-violations.ts'

/** What a scripted step does, in order. A bare string is text, streamed word by word. */
export type ScriptedPart =
  | string
  /** Thinking, streamed word by word. */
  | { readonly reasoning: string }
  /** A tool call; a string as `input` is sent as it is, also when it is no JSON. `id` is made up when missing. */
  | { readonly tool: string; readonly input?: unknown; readonly id?: string }
  /** Goes on when the promise settles; aborts with the call. */
  | { readonly wait: Promise<unknown> }
  /** Fails: before any output the call itself rejects with it, afterwards it comes as an error within the stream. */
  | { readonly error: unknown }
  /** The tokens reported at the end. @default estimated at four characters each */
  | {
      readonly usage: {
        readonly inputTokens: number
        readonly outputTokens: number
        readonly cachedInputTokens?: number
      }
    }
  /** Why the step ended. @default 'tool-calls' after a tool call, else 'stop' */
  | { readonly finish: LanguageModelV4FinishReason['unified'] }

/** One call of the model: a part, a list of parts, or a function that chooses them by what the model was sent. */
export type ScriptedStep =
  | ScriptedPart
  | readonly ScriptedPart[]
  | ((call: ScriptedCall) => ScriptedPart | readonly ScriptedPart[])

/** What the model was sent in one call. */
export interface ScriptedCall {
  readonly prompt: LanguageModelV4Prompt
  /** The names of the tools on offer. */
  readonly tools: readonly string[]
  readonly options: LanguageModelV4CallOptions
}

/** A language model that plays a script and remembers its calls. */
export interface ScriptedModel extends LanguageModelV4 {
  /** The calls so far, oldest first. */
  readonly calls: readonly ScriptedCall[]
}

const isWait = (part: ScriptedPart): part is { wait: Promise<unknown> } => typeof part === 'object' && 'wait' in part
const isError = (part: ScriptedPart): part is { error: unknown } => typeof part === 'object' && 'error' in part

const waitFor = (promise: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> => {
  if (signal === undefined) return promise
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([promise, aborted.promise]).finally(() => signal.removeEventListener('abort', abort))
}

const usageOf = (parts: readonly ScriptedPart[], prompt: LanguageModelV4Prompt): LanguageModelV4Usage => {
  const given = parts.findLast(part => typeof part === 'object' && 'usage' in part)
  const counts =
    typeof given === 'object' && 'usage' in given
      ? given.usage
      : { inputTokens: estimateTokens(JSON.stringify(prompt)), outputTokens: estimateTokens(JSON.stringify(parts)) }
  const cached = counts.cachedInputTokens ?? 0
  return {
    inputTokens: {
      total: counts.inputTokens,
      noCache: counts.inputTokens - cached,
      cacheRead: cached,
      cacheWrite: undefined,
    },
    outputTokens: { total: counts.outputTokens, text: counts.outputTokens, reasoning: undefined },
  }
}

const finishOf = (parts: readonly ScriptedPart[]): LanguageModelV4FinishReason => {
  const given = parts.findLast(part => typeof part === 'object' && 'finish' in part)
  if (typeof given === 'object' && 'finish' in given) return { unified: given.finish, raw: given.finish }
  if (parts.some(isError)) return { unified: 'error', raw: undefined }
  const called = parts.some(part => typeof part === 'object' && 'tool' in part)
  return called ? { unified: 'tool-calls', raw: 'tool-calls' } : { unified: 'stop', raw: 'stop' }
}

const streamed = (part: ScriptedPart, index: number): LanguageModelV4StreamPart[] => {
  const id = `part-${index}`
  if (typeof part === 'string') {
    const deltas = splitWords(part).map(delta => ({ type: 'text-delta' as const, id, delta }))
    return [{ type: 'text-start', id }, ...deltas, { type: 'text-end', id }]
  }
  if ('reasoning' in part) {
    const deltas = splitWords(part.reasoning).map(delta => ({ type: 'reasoning-delta' as const, id, delta }))
    return [{ type: 'reasoning-start', id }, ...deltas, { type: 'reasoning-end', id }]
  }
  if ('tool' in part) {
    const toolCallId = part.id ?? `call_${crypto.randomUUID()}`
    const input = typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? {})
    return [
      { type: 'tool-input-start', id: toolCallId, toolName: part.tool },
      { type: 'tool-input-delta', id: toolCallId, delta: input },
      { type: 'tool-input-end', id: toolCallId },
      { type: 'tool-call', toolCallId, toolName: part.tool, input },
    ]
  }
  return []
}

const generated = (parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4Content[] => {
  const content: LanguageModelV4Content[] = []
  for (const part of parts) {
    if (part.type === 'text-start') content.push({ type: 'text', text: '' })
    if (part.type === 'reasoning-start') content.push({ type: 'reasoning', text: '' })
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      const last = content.at(-1)
      if (last?.type === 'text' || last?.type === 'reasoning') last.text += part.delta
    }
    if (part.type === 'tool-call') content.push(part)
  }
  return content
}

async function* play(
  parts: readonly ScriptedPart[],
  call: ScriptedCall,
): AsyncGenerator<LanguageModelV4StreamPart, void, void> {
  yield { type: 'stream-start', warnings: [] }
  for (const [index, part] of parts.entries()) {
    call.options.abortSignal?.throwIfAborted()
    if (isWait(part)) await waitFor(part.wait, call.options.abortSignal)
    else if (isError(part)) yield { type: 'error', error: part.error }
    else yield* streamed(part, index)
  }
  yield { type: 'finish', usage: usageOf(parts, call.prompt), finishReason: finishOf(parts) }
}

const toStream = (parts: AsyncGenerator<LanguageModelV4StreamPart, void, void>) =>
  new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })

/**
 * A language model for tests: each call plays the next step of a script. A call beyond the script rejects, and so does one that a
 * strict model API would reject, which fails the test too.
 *
 * @param steps What each call does, in order.
 * @param identity The `provider` and `modelId` it goes by.
 *
 * @example
 * const model = scriptedModel([{ tool: 'get_current_weather', input: { city: 'Berlin' } }, 'It is 14 °C.'])
 * // ... run a turn ...
 * expect(model.calls[1]?.tools).toContain('get_current_weather')
 *
 * @example A gate holds a turn open until the test lets it go on, or for ever.
 * const gate = Promise.withResolvers<void>()
 * const model = scriptedModel([['It is ', { wait: gate.promise }, 'late.']])
 */
export const scriptedModel = (
  steps: readonly ScriptedStep[],
  identity: { readonly provider?: string; readonly modelId?: string; readonly onViolation?: OnViolation } = {},
): ScriptedModel => {
  const calls: ScriptedCall[] = []

  const begin = async (options: LanguageModelV4CallOptions) => {
    const call = { prompt: options.prompt, tools: (options.tools ?? []).map(tool => tool.name), options }
    const step = steps[calls.push(call) - 1]
    const violation = strictViolation(ofCall(options))
    if (violation !== undefined) {
      const { onViolation = failTest } = identity
      onViolation(violation)
      throw new APICallError({ message: violation, url: 'scripted:', requestBodyValues: {}, statusCode: 400 })
    }
    if (step === undefined) throw new Error(`scriptedModel: call ${calls.length}, but the script has ${steps.length}`)
    const chosen = typeof step === 'function' ? step(call) : step
    const parts: readonly ScriptedPart[] = Array.isArray(chosen) ? chosen : [chosen as ScriptedPart]
    const first = parts.findIndex(part => !isWait(part))
    const start = first === -1 ? parts.length : first
    for (const part of parts.slice(0, start)) if (isWait(part)) await waitFor(part.wait, options.abortSignal)
    const rest = parts.slice(start)
    if (rest[0] !== undefined && isError(rest[0])) throw rest[0].error
    return { call, parts: rest }
  }

  return {
    specificationVersion: 'v4',
    provider: identity.provider ?? 'scripted',
    modelId: identity.modelId ?? 'scripted',
    supportedUrls: {},
    calls,
    async doStream(options) {
      const { call, parts } = await begin(options)
      return { stream: toStream(play(parts, call)) }
    },
    async doGenerate(options) {
      const { call, parts } = await begin(options)
      const played: LanguageModelV4StreamPart[] = []
      for await (const part of play(parts, call)) played.push(part)
      const failure = played.find(part => part.type === 'error')
      if (failure !== undefined) throw failure.error
      return {
        content: generated(played),
        finishReason: finishOf(parts),
        usage: usageOf(parts, call.prompt),
        warnings: [],
      }
    },
  }
}
