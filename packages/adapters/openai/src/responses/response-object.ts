import type { AnswerPiece, ClientCall, SibylEvent } from '../answers/answer-piece.ts'
import { hasAnswer } from '../answers/chat-completion.ts'
import { failedTurn } from '../errors/openai-errors.ts'
import type { ResponseRequest } from '../requests/response-request.ts'

/** Facts of a response that are known before its turn runs. */
export interface ResponseFacts {
  readonly id: string
  readonly createdAt: number
  readonly model: string
  readonly session: string
  readonly request: Pick<
    ResponseRequest,
    'previous_response_id' | 'metadata' | 'instructions' | 'store' | 'tools' | 'text'
  >
}

/** A response object of the OpenAI API. */
export type ResponseObject = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string }

/** Returns the id of the message that a response consists of. */
export const messageIdOf = ({ id }: Pick<ResponseFacts, 'id'>): string => id.replace(/^resp_/, 'msg_')

/** Returns the message that a response consists of. */
export const messageItem = (facts: Pick<ResponseFacts, 'id'>, text: string, status: 'in_progress' | 'completed') => ({
  id: messageIdOf(facts),
  type: 'message',
  role: 'assistant',
  status,
  content: status === 'in_progress' ? [] : [textPart(text)],
})

/** Returns a call of a function that the client runs. */
export const functionCallItem = ({ id, name, arguments: input }: ClientCall, status: 'in_progress' | 'completed') => ({
  id: `fc_${id}`,
  type: 'function_call',
  status,
  call_id: id,
  name,
  arguments: status === 'in_progress' ? '' : input,
})

/** Returns a text as a part of a message. */
export const textPart = (text: string) => ({ type: 'output_text', text, annotations: [] })

/** Returns a response as it is before its end. */
export const startedResponse = (facts: ResponseFacts): ResponseObject => ({
  id: facts.id,
  object: 'response',
  created_at: facts.createdAt,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  instructions: facts.request.instructions ?? null,
  metadata: facts.request.metadata ?? {},
  model: facts.model,
  output: [],
  parallel_tool_calls: true,
  previous_response_id: facts.request.previous_response_id ?? null,
  conversation: { id: facts.session },
  store: facts.request.store ?? true,
  temperature: null,
  text: { format: facts.request.text?.format ?? { type: 'text' } },
  tool_choice: 'auto',
  tools: facts.request.tools ?? [],
  top_p: null,
  truncation: 'auto',
  usage: null,
  sibyl: { session_id: facts.session },
})

/** Returns a response after its turn, completed or failed. */
export const endedResponse = (
  started: ResponseObject,
  { result, approvals, calls, cut }: Extract<AnswerPiece, { readonly kind: 'end' }>,
  text: string,
  notices: readonly SibylEvent[] = [],
): ResponseObject => {
  const { inputTokens, cachedInputTokens, outputTokens } = result.usage
  const isDone = hasAnswer(result)
  const failure = failedTurn(result)
  return {
    ...started,
    status: isDone ? (cut ? 'incomplete' : 'completed') : 'failed',
    incomplete_details: isDone && cut ? { reason: cut === 'length' ? 'max_output_tokens' : 'content_filter' } : null,
    error: isDone ? null : { code: failure.code, message: failure.detail ?? failure.code },
    output: isDone
      ? [
          ...(text === '' && calls.length > 0 ? [] : [messageItem(started, text, 'completed')]),
          ...calls.map(call => functionCallItem(call, 'completed')),
        ]
      : [],
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: cachedInputTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
    sibyl: {
      ...(started.sibyl as object),
      turn_id: result.turnId,
      outcome: result.outcome,
      approvals: [...approvals],
      ...(notices.length > 0 ? { notices } : {}),
    },
  }
}
