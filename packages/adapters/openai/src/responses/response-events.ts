import type { AnswerPiece, ClientCall, SibylEvent } from '../answers/answer-piece.ts'
import { answerChanged, openAiError } from '../errors/openai-errors.ts'
import {
  endedResponse,
  functionCallItem,
  messageIdOf,
  messageItem,
  type ResponseObject,
  textPart,
} from './response-object.ts'

/** Stores a response before the client reads its end. */
export type SaveResponse = (
  body: ResponseObject,
  text: string,
  end: Extract<AnswerPiece, { readonly kind: 'end' }>,
) => Promise<void>

/** Collects an answer as one response object. */
export const responseOf = async (
  started: ResponseObject,
  pieces: AsyncIterable<AnswerPiece>,
  save: SaveResponse,
): Promise<ResponseObject> => {
  let text = ''
  const notices: SibylEvent[] = []
  for await (const piece of pieces) {
    if (piece.kind === 'text') text += piece.text
    if (piece.kind === 'dropped') text = piece.text
    if (piece.kind === 'event' && piece.event.type === 'notice') notices.push(piece.event)
    if (piece.kind !== 'end') continue
    const body = endedResponse(started, piece, text, notices)
    await save(body, text, piece)
    return body
  }
  throw new TypeError('a turn ended without its end')
}

/**
 * Streams an answer as the events of the Responses API. The oracle's own events are `keepalive` events with the field
 * `sibyl`: the `openai` SDK fails at types that it does not know.
 */
export async function* responseEvents(
  started: ResponseObject,
  pieces: AsyncIterable<AnswerPiece>,
  save: SaveResponse,
): AsyncGenerator<string> {
  let sequence = 0
  const event = (type: string, data: object) => {
    const frame = `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...data })}\n\n`
    sequence += 1
    return frame
  }
  const place = { item_id: messageIdOf(started), output_index: 0, content_index: 0 }
  yield event('response.created', { response: started })
  yield event('response.in_progress', { response: started })
  let text = ''
  let hasMessage = false
  const callEvents = (call: ClientCall, index: number) => {
    const [output_index, item] = [index, functionCallItem(call, 'completed')]
    const at = { item_id: item.id, output_index }
    return [
      event('response.output_item.added', { output_index, item: functionCallItem(call, 'in_progress') }),
      event('response.function_call_arguments.delta', { ...at, delta: call.arguments }),
      event('response.function_call_arguments.done', { ...at, name: call.name, arguments: call.arguments }),
      event('response.output_item.done', { output_index, item }),
    ]
  }
  for await (const piece of pieces) {
    if (piece.kind === 'text') {
      if (!hasMessage) {
        hasMessage = true
        yield event('response.output_item.added', { output_index: 0, item: messageItem(started, '', 'in_progress') })
        yield event('response.content_part.added', { ...place, part: textPart('') })
      }
      text += piece.text
      yield event('response.output_text.delta', { ...place, delta: piece.text, logprobs: [] })
    }
    if (piece.kind === 'dropped') {
      const { code, message, param } = openAiError(answerChanged())
      yield event('error', { code, message, param })
      return
    }
    if (piece.kind === 'event') yield event('keepalive', { sibyl: piece.event })
    if (piece.kind !== 'end') continue
    const response = endedResponse(started, piece, text)
    await save(response, text, piece)
    if (hasMessage) {
      yield event('response.output_text.done', { ...place, text, logprobs: [] })
      yield event('response.content_part.done', { ...place, part: textPart(text) })
      yield event('response.output_item.done', { output_index: 0, item: messageItem(started, text, 'completed') })
    }
    for (const [index, call] of piece.calls.entries()) yield* callEvents(call, index + (hasMessage ? 1 : 0))
    yield event(`response.${response.status}`, { response })
  }
}
