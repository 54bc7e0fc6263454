import { estimateTokens } from '../text/estimate-tokens.ts'
import { splitWords } from '../text/split-words.ts'
import {
  argumentsDeltas,
  argumentsText,
  callIdPlaceholder,
  type FakeAnswer,
  placeholderCallId,
} from './fake-openai-reply.ts'

const head = (object: string, model: string) => ({
  id: `chatcmpl-${callIdPlaceholder}`,
  object,
  created: 1_700_000_000,
  model,
})

const usageOf = (answer: FakeAnswer) => {
  const input = answer.usage?.inputTokens ?? 100
  const output =
    answer.usage?.outputTokens ?? estimateTokens((answer.text ?? '') + JSON.stringify(answer.toolCalls ?? ''))
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: answer.usage?.cachedInputTokens ?? 0 },
  }
}

const finishReason = ({ finish, toolCalls = [] }: FakeAnswer) =>
  finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')

/** The body of a chat completion that is not streamed. */
export const chatCompletion = (answer: FakeAnswer, model: string) => ({
  ...head('chat.completion', model),
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: answer.text ?? null,
        ...(answer.toolCalls && {
          tool_calls: answer.toolCalls.map((call, index) => ({
            id: placeholderCallId(index),
            type: 'function',
            function: { name: call.name, arguments: argumentsText(call) },
          })),
        }),
      },
      logprobs: null,
      finish_reason: finishReason(answer),
    },
  ],
  usage: usageOf(answer),
})

/**
 * The server-sent events of a streamed chat completion, `[DONE]` included.
 *
 * @param includeUsage Whether the request asked for it by `stream_options`.
 */
export const chatCompletionEvents = (answer: FakeAnswer, model: string, includeUsage: boolean): readonly string[] => {
  const chunk = (choices: readonly object[], usage?: object) =>
    `data: ${JSON.stringify({ ...head('chat.completion.chunk', model), choices, ...(includeUsage && { usage: usage ?? null }) })}\n\n`
  const delta = (change: object, reason: string | null = null) =>
    chunk([{ index: 0, delta: change, logprobs: null, finish_reason: reason }])

  const toolCalls = (answer.toolCalls ?? []).flatMap((call, index) => [
    delta({
      tool_calls: [
        { index, id: placeholderCallId(index), type: 'function', function: { name: call.name, arguments: '' } },
      ],
    }),
    ...argumentsDeltas(call).map(piece => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ])
  return [
    delta({ role: 'assistant', content: answer.text === undefined ? null : '' }),
    ...splitWords(answer.text ?? '').map(word => delta({ content: word })),
    ...toolCalls,
    delta({}, finishReason(answer)),
    ...(includeUsage ? [chunk([], usageOf(answer))] : []),
    'data: [DONE]\n\n',
  ]
}
