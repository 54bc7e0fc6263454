import { type Route, route, sseResponse } from '@sibyl/plugin'
import { z } from 'zod'
import { type AnswerPiece, answerPieces, type ClientCall, type SibylEvent } from '../answers/answer-piece.ts'
import { pendingIn } from '../answers/run-conversation.ts'
import {
  type CompletionParts,
  completionOptions,
  type ResponseParts,
  startCompletion,
} from '../answers/start-completion.ts'
import { answerChanged, openAiError, openaiErrors, orStream, refuse, refuseTurn } from '../errors/openai-errors.ts'
import type { Conversation } from '../requests/conversation.ts'
import { readRepeatHeaders } from '../requests/repeat-headers.ts'
import {
  type ResponseRequest,
  responseForm,
  responseMessages,
  responseRequest,
  responseTools,
} from '../requests/response-request.ts'
import { newSession } from '../threads/thread-store.ts'
import {
  endedResponse,
  functionCallItem,
  messageIdOf,
  messageItem,
  type ResponseObject,
  startedResponse,
  textPart,
} from './response-object.ts'
import type { ResponseStore } from './response-store.ts'

const responseRecord = z.looseObject({ id: z.string(), object: z.literal('response'), status: z.string() })
const idParams = z.object({ id: z.string().max(200) })

/** The second is that of Azure OpenAI. */
const paths = ['/v1/responses', '/openai/responses'] as const

/** `POST /v1/responses`, and reading and deleting what it answered. */
export const responsesRoutes = (parts: CompletionParts, store: ResponseStore): Route[] =>
  paths.flatMap(path => routesAt(path, parts, store))

const routesAt = (path: (typeof paths)[number], parts: CompletionParts, store: ResponseStore): Route[] => [
  route.post(
    path,
    {
      ...completionOptions,
      summary: 'Answer a message, as a response of the OpenAI API',
      description:
        '`previous_response_id` continues the session of a response, or a copy of it if the session has later messages. ' +
        '`conversation` is the id of a session. A client that sends the whole conversation as `input` needs neither, also ' +
        'with results of its functions. With `stream`, events come as server-sent events.',
      body: responseRequest,
      ok: orStream(responseRecord),
      errors: Object.values(openaiErrors),
      refuse,
    },
    async c => {
      const request = c.req.valid('json')
      const actor = c.get('actor')
      const owner = actor.did
      const asked = { actor, ...readRepeatHeaders(c.req.valid('header')), content: ['response', request] }
      const started = await startCompletion(parts, asked, {
        messages: responseMessages(request),
        tools: responseTools(request),
        outputSchema: responseForm(request),
        response: {
          isNamed: Boolean(request.previous_response_id || request.conversation),
          threadOf: conversation => threadOf(store, owner, request, conversation),
          begin: (tx, facts, input, turn) =>
            store.begin(tx, {
              id: facts.id,
              owner,
              session: facts.sessionId,
              previous: request.previous_response_id ?? null,
              input,
              output: '',
              body: JSON.stringify(startedResponse(facts, request)),
              isStored: request.store !== false,
              turn,
            }),
        },
      })
      if ('refused' in started) return refuseTurn(started.refused)
      const { facts, pieces, disconnected } = started
      const save: SaveResponse = (body, output, { result, approvals }) =>
        started.save(result, output, approvals, tx =>
          store.end(tx, { owner, id: facts.id, output, body: JSON.stringify(body) }),
        )
      const response = startedResponse(facts, request)
      if (request.stream) return sseResponse(c, responseEvents(response, pieces, save), disconnected)
      c.req.raw.signal.addEventListener('abort', disconnected)
      return c.json(await responseOf(response, pieces, save))
    },
  ),
  route.get(
    `${path}/{id}`,
    {
      auth: { ucan: 'session/read', keyHeaders: true },
      summary: 'A stored response',
      params: idParams,
      ok: responseRecord,
      errors: [openaiErrors.openai_response_unknown],
      refuse,
    },
    async c => {
      const actor = c.get('actor')
      const found = await store.find(actor.did, c.req.valid('param').id)
      if (!found) throw openaiErrors.openai_response_unknown()
      const body = JSON.parse(found.body) as ResponseObject
      const turn = found.turn === null ? undefined : await parts.turns.follow(actor.did, found.turn)
      if (!turn || turn.isRunning()) return c.json(body)
      const pieces = answerPieces(turn, turnId => pendingIn(parts.turns, { actor, session: found.session }, turnId))
      return c.json(
        await responseOf(body, pieces, (ended, output) => store.close(found, output, JSON.stringify(ended))),
      )
    },
  ),
  route.delete(
    `${path}/{id}`,
    {
      auth: { ucan: 'session/delete', keyHeaders: true },
      summary: 'Delete a stored response; its session stays',
      params: idParams,
      ok: z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }),
      errors: [openaiErrors.openai_response_unknown],
      refuse,
    },
    async c => {
      const { id } = c.req.valid('param')
      if (!(await store.delete(c.get('actor').did, id))) throw openaiErrors.openai_response_unknown()
      return c.json({ id, object: 'response', deleted: true })
    },
  ),
]

/** Finds the session in which a response is given. Throws `openai_response_unknown`. */
const threadOf = async (
  store: ResponseStore,
  owner: string,
  { previous_response_id: previousId, conversation: named }: ResponseRequest,
  conversation: Conversation,
): ReturnType<ResponseParts['threadOf']> => {
  const session = typeof named === 'object' ? named?.id : named
  if (session) return { session, conversation }
  const previous = await store.find(owner, previousId ?? '')
  if (!previous) throw openaiErrors.openai_response_unknown()
  const latest = await store.latest(owner, previous.session)
  if (latest?.id === previous.id) return { session: previous.session, conversation }
  const history = [...(await store.historyOf(previous)), ...conversation.history]
  return { session: newSession(), conversation: { ...conversation, history } }
}

/** Stores a response before the client reads its end. */
type SaveResponse = (
  body: ResponseObject,
  text: string,
  end: Extract<AnswerPiece, { readonly kind: 'end' }>,
) => Promise<void>

/** Collects an answer as one response object. */
const responseOf = async (
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
async function* responseEvents(
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
