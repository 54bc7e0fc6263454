import type { TurnResult } from '@sibyl/plugin'
import type { AnswerPiece, ClientCall } from '../answers/answer-piece.ts'
import { hasAnswer } from '../answers/chat-completion.ts'
import type { StartedCompletion } from '../answers/start-completion.ts'
import { answerChanged, failedTurn } from '../errors/openai-errors.ts'
import { anthropicError } from './anthropic-error.ts'

type End = Extract<AnswerPiece, { readonly kind: 'end' }>

const stopReason = ({ cut, calls }: End): string => {
  if (cut !== undefined) return cut === 'length' ? 'max_tokens' : 'refusal'
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

const usageOf = ({ usage: { inputTokens, cachedInputTokens, outputTokens } }: TurnResult) => ({
  input_tokens: inputTokens - cachedInputTokens,
  cache_read_input_tokens: cachedInputTokens,
  cache_creation_input_tokens: 0,
  output_tokens: outputTokens,
})

const messageOf = ({ id, model }: StartedCompletion['facts']) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model,
  content: [] as object[],
  stop_reason: null as string | null,
  stop_sequence: null,
  usage: { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 0 },
})

const toolUse = ({ id, name, arguments: input }: ClientCall) => ({
  type: 'tool_use',
  id,
  name,
  input: JSON.parse(input),
})

/** Collects an answer as a message of the Anthropic API. */
export const anthropicMessage = async ({
  facts,
  pieces,
  save,
}: StartedCompletion): Promise<{ readonly result: TurnResult; readonly body: object }> => {
  let text = ''
  const notices: object[] = []
  for await (const piece of pieces) {
    if (piece.kind === 'text') text += piece.text
    if (piece.kind === 'dropped') text = piece.text
    if (piece.kind === 'event' && piece.event.type === 'notice') notices.push(piece.event)
    if (piece.kind !== 'end') continue
    const { result, approvals, calls } = piece
    await save(result, text, approvals)
    return {
      result,
      body: {
        ...messageOf(facts),
        content: [...(text === '' ? [] : [{ type: 'text', text, citations: null }]), ...calls.map(toolUse)],
        stop_reason: stopReason(piece),
        usage: usageOf(result),
        sibyl: { session_id: facts.sessionId, turn_id: result.turnId, approvals: [...approvals], notices },
      },
    }
  }
  throw new TypeError('a turn ended without its end')
}

const event = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

/** Streams an answer as the events of the Anthropic API. The oracle's own events are `ping` events with the field `sibyl`. */
export async function* anthropicEvents({ facts, pieces, save }: StartedCompletion): AsyncGenerator<string> {
  yield event('message_start', { message: messageOf(facts) })
  let index = -1
  let text = ''
  const block = (content_block: object, delta: object) => [
    event('content_block_start', { index, content_block }),
    event('content_block_delta', { index, delta }),
    event('content_block_stop', { index }),
  ]
  for await (const piece of pieces) {
    if (piece.kind === 'text') {
      if (text === '') {
        index += 1
        yield event('content_block_start', { index, content_block: { type: 'text', text: '', citations: null } })
      }
      text += piece.text
      yield event('content_block_delta', { index, delta: { type: 'text_delta', text: piece.text } })
    }
    if (piece.kind === 'dropped') {
      yield event('error', anthropicError(answerChanged()))
      return
    }
    if (piece.kind === 'event') yield event('ping', { sibyl: piece.event })
    if (piece.kind !== 'end') continue
    const { result, approvals, calls } = piece
    await save(result, text, approvals)
    if (!hasAnswer(result)) {
      yield event('error', anthropicError(failedTurn(result)))
      return
    }
    if (text !== '') yield event('content_block_stop', { index })
    for (const call of calls) {
      index += 1
      yield* block({ ...toolUse(call), input: {} }, { type: 'input_json_delta', partial_json: call.arguments })
    }
    yield event('message_delta', {
      delta: { stop_reason: stopReason(piece), stop_sequence: null },
      usage: usageOf(result),
    })
    yield event('message_stop', {})
  }
}
