import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { estimateTokens } from '../text/estimate-tokens.ts'
import { splitWords } from '../text/split-words.ts'
import { createKnowledge } from './knowledge.ts'
import { nextStep, type Step } from './next-step.ts'
import type { OfflineCatalogEntry } from './offline-catalog.ts'
import { readConversation } from './read-conversation.ts'

export interface OfflineModelOptions {
  /** Returns the current capabilities of the oracle, at every call. */
  catalog(): readonly OfflineCatalogEntry[]
}

/**
 * A language model that needs no key and no network. It matches what a person says with the examples of the plugins'
 * manifests, loads the plugin, calls its tool and words the result by the example's `answer`. It asks back when a value
 * is missing or two plugins are equally near, and says what it is when it does not understand.
 *
 * It keeps no state: everything is derived from the conversation, the same conversation giving the same answer. Texts
 * inside tool results are shown, never followed.
 *
 * @example
 * const model = createOfflineModel({ catalog: () => [{ name: 'weather', manifest, mode: 'on-demand', tools }] })
 * const { text } = await generateText({ model, prompt: "What's the weather in Berlin?", tools, stopWhen })
 */
export const createOfflineModel = ({ catalog }: OfflineModelOptions): LanguageModelV4 => {
  const know = createKnowledge()

  const step = (options: LanguageModelV4CallOptions): Step => {
    options.abortSignal?.throwIfAborted()
    const offered = options.toolChoice?.type === 'none' ? [] : (options.tools ?? [])
    const knowledge = know(catalog(), offered)
    return nextStep(readConversation(options.prompt), knowledge, new Set(offered.map(tool => tool.name)))
  }

  return {
    specificationVersion: 'v4',
    provider: 'sibyl',
    modelId: 'offline',
    supportedUrls: {},
    async doGenerate(options) {
      const taken = step(options)
      return {
        content: [contentOf(taken)],
        finishReason: finishOf(taken),
        usage: usageOf(options, taken),
        warnings: [],
      }
    },
    async doStream(options) {
      const taken = step(options)
      return { stream: streamOf([...partsOf(taken), finishPart(options, taken)], options.abortSignal) }
    },
  }
}

/** Unique across conversations and restarts, as those of other models are. */
const newCallId = (): string => `call_${crypto.randomUUID().replaceAll('-', '')}`

const toolCall = (step: Extract<Step, { tool: string }>) => ({
  type: 'tool-call' as const,
  toolCallId: newCallId(),
  toolName: step.tool,
  input: JSON.stringify(step.input),
})

const contentOf = (step: Step): LanguageModelV4Content =>
  'text' in step ? { type: 'text', text: step.text } : toolCall(step)

const partsOf = (step: Step): readonly LanguageModelV4StreamPart[] => {
  const start: LanguageModelV4StreamPart = { type: 'stream-start', warnings: [] }
  if ('text' in step) {
    const id = 'answer'
    const deltas = splitWords(step.text).map(delta => ({ type: 'text-delta' as const, id, delta }))
    return [start, { type: 'text-start', id }, ...deltas, { type: 'text-end', id }]
  }
  const call = toolCall(step)
  return [
    start,
    { type: 'tool-input-start', id: call.toolCallId, toolName: call.toolName },
    { type: 'tool-input-delta', id: call.toolCallId, delta: call.input },
    { type: 'tool-input-end', id: call.toolCallId },
    call,
  ]
}

const finishOf = (step: Step): LanguageModelV4FinishReason =>
  'text' in step ? { unified: 'stop', raw: 'stop' } : { unified: 'tool-calls', raw: 'tool-calls' }

const usageOf = (options: LanguageModelV4CallOptions, step: Step): LanguageModelV4Usage => {
  const input = estimateTokens(JSON.stringify(options.prompt))
  const output = estimateTokens('text' in step ? step.text : JSON.stringify(step))
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  }
}

const finishPart = (options: LanguageModelV4CallOptions, step: Step): LanguageModelV4StreamPart => ({
  type: 'finish',
  usage: usageOf(options, step),
  finishReason: finishOf(step),
})

const streamOf = (parts: readonly LanguageModelV4StreamPart[], signal: AbortSignal | undefined) => {
  const rest = parts.values()
  return new ReadableStream<LanguageModelV4StreamPart>({
    pull(controller) {
      signal?.throwIfAborted()
      const { done, value } = rest.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}
