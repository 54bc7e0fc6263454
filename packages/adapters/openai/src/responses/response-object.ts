import type { AnswerPiece, ClientCall, SibylEvent } from '../answers/answer-piece.ts'
import { type CompletionFacts, hasAnswer } from '../answers/chat-completion.ts'
import { failedTurn } from '../errors/openai-errors.ts'
import type { ResponseRequest } from '../requests/response-request.ts'

/** A response object of the OpenAI API. */
export type ResponseObject = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string }

/** Returns the id of the message that a response consists of. */
export const messageIdOf = ({ id }: Pick<ResponseObject, 'id'>): string => id.replace(/^resp_/, 'msg_')

/** Returns the message that a response consists of. */
export const messageItem = (facts: Pick<ResponseObject, 'id'>, text: string, status: 'in_progress' | 'completed') => ({
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
export const startedResponse = (
  { id, created, model, sessionId }: CompletionFacts,
  request: ResponseRequest,
): ResponseObject => ({
  id,
  object: 'response',
  created_at: created,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  instructions: request.instructions ?? null,
  metadata: request.metadata ?? {},
  model,
  output: [],
  parallel_tool_calls: true,
  previous_response_id: request.previous_response_id ?? null,
  conversation: { id: sessionId },
  store: request.store ?? true,
  temperature: null,
  text: { format: request.text?.format ?? { type: 'text' } },
  tool_choice: 'auto',
  tools: request.tools ?? [],
  top_p: null,
  truncation: 'auto',
  usage: null,
  sibyl: { session_id: sessionId },
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
