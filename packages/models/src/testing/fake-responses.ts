import { estimateTokens } from '../text/estimate-tokens.ts'
import { splitWords } from '../text/split-words.ts'
import {
  argumentsDeltas,
  argumentsText,
  type FakeAnswer,
  type FakeToolCall,
  placeholderCallId,
} from './fake-openai-reply.ts'

const usageOf = (answer: FakeAnswer) => {
  const input = answer.usage?.inputTokens ?? 100
  const output =
    answer.usage?.outputTokens ?? estimateTokens((answer.text ?? '') + JSON.stringify(answer.toolCalls ?? ''))
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: answer.usage?.cachedInputTokens ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
}

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

const message = (text: string, status: 'in_progress' | 'completed') => ({
  id: 'msg_fake',
  type: 'message',
  status,
  role: 'assistant',
  content: status === 'completed' ? [textPart(text)] : [],
})

const functionCall = (call: FakeToolCall, index: number, status: 'in_progress' | 'completed') => ({
  id: `fc_${placeholderCallId(index)}`,
  type: 'function_call',
  status,
  call_id: placeholderCallId(index),
  name: call.name,
  arguments: status === 'completed' ? argumentsText(call) : '',
})

const outputOf = (answer: FakeAnswer) => [
  ...(answer.text === undefined ? [] : [message(answer.text, 'completed')]),
  ...(answer.toolCalls ?? []).map((call, index) => functionCall(call, index, 'completed')),
]

const responseHead = (model: string) => ({
  id: 'resp_fake',
  object: 'response',
  created_at: 1_700_000_000,
  error: null,
  incomplete_details: null,
  model,
})

/** Why a response of the Responses API is not whole, by the reason in the words of chat completions. */
const incomplete: Readonly<Record<string, string>> = { length: 'max_output_tokens', content_filter: 'content_filter' }

const endOf = ({ finish = 'stop' }: FakeAnswer) => {
  const reason = incomplete[finish]
  return reason === undefined ? { status: 'completed' } : { status: 'incomplete', incomplete_details: { reason } }
}

/** The body of a response of the Responses API that is not streamed. */
export const responseBody = (answer: FakeAnswer, model: string) => ({
  ...responseHead(model),
  ...endOf(answer),
  output: outputOf(answer),
  usage: usageOf(answer),
})

/** The server-sent events of a streamed response of the Responses API. */
export const responseEvents = (answer: FakeAnswer, model: string): readonly string[] => {
  const started = { ...responseHead(model), status: 'in_progress', output: [], usage: null }
  const events: { type: string; [key: string]: unknown }[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
  ]
  let output_index = 0
  const { text } = answer
  if (text !== undefined) {
    const place = { item_id: 'msg_fake', output_index, content_index: 0 }
    events.push(
      { type: 'response.output_item.added', output_index, item: message(text, 'in_progress') },
      { type: 'response.content_part.added', ...place, part: textPart('') },
      ...splitWords(text).map(delta => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...place, text, logprobs: [] },
      { type: 'response.content_part.done', ...place, part: textPart(text) },
      { type: 'response.output_item.done', output_index, item: message(text, 'completed') },
    )
    output_index += 1
  }
  for (const [index, call] of (answer.toolCalls ?? []).entries()) {
    const item = functionCall(call, index, 'completed')
    const place = { item_id: item.id, output_index }
    events.push(
      { type: 'response.output_item.added', output_index, item: functionCall(call, index, 'in_progress') },
      ...argumentsDeltas(call).map(delta => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
      { type: 'response.function_call_arguments.done', ...place, name: call.name, arguments: item.arguments },
      { type: 'response.output_item.done', output_index, item },
    )
    output_index += 1
  }
  const response = responseBody(answer, model)
  events.push({ type: `response.${response.status}`, response })
  return events.map(
    (event, sequence_number) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
  )
}
