import { type Host, type Route, route, sseResponse } from '@sibyl/plugin'
import { newId } from '@sibyl/plugin/host'
import { z } from 'zod'
import { answerPieces } from '../answers/answer-piece.ts'
import { pendingIn, runConversation } from '../answers/run-conversation.ts'
import { openaiErrors, refuse, refuseTurn } from '../errors/openai-errors.ts'
import { type Conversation, maxBodyBytes } from '../requests/conversation.ts'
import {
  type ResponseRequest,
  readInput,
  responseForm,
  responseRequest,
  responseTools,
} from '../requests/response-request.ts'
import { newSession, type ThreadStore } from '../threads/thread-store.ts'
import { responseEvents, responseOf, type SaveResponse } from './response-events.ts'
import type { ResponseFacts } from './response-object.ts'
import type { ResponseStore } from './response-store.ts'

const responseRecord = z.looseObject({ id: z.string(), object: z.literal('response'), status: z.string() })
const idParams = z.object({ id: z.string().max(200) })

/** `POST /v1/responses`, and reading and deleting what it answered. */
export const responsesRoutes = (
  { turns, clock }: Pick<Host, 'turns' | 'clock'>,
  store: ResponseStore,
  threads: ThreadStore,
  model: string,
): Route[] => [
  route.post(
    '/v1/responses',
    {
      auth: { ucan: 'chat/send' },
      summary: 'Answer a message, as a response of the OpenAI API',
      description:
        '`previous_response_id` continues the session of a response, or a copy of it if the session has later messages. ' +
        '`conversation` is the id of a session. A client that sends the whole conversation as `input` needs neither, also ' +
        'with results of its functions. With `stream`, events come as server-sent events.',
      body: responseRequest,
      ok: responseRecord,
      errors: Object.values(openaiErrors),
      maxBodyBytes,
      takesFiles: true,
      timeLimit: false,
      refuse,
    },
    async c => {
      const request = c.req.valid('json')
      const read = readInput(request)
      const clientTools = responseTools(request)
      const outputSchema = responseForm(request)
      const actor = c.get('actor')
      const { session, conversation } = await threadOf({ store, threads }, actor.did, request, read)
      const disconnected = new AbortController()
      const signal = request.stream ? disconnected.signal : c.req.raw.signal
      const started = await runConversation(turns, {
        actor,
        session,
        conversation,
        clientTools,
        outputSchema,
        signal,
        asked: () => threads.askedIn(actor.did, session),
      })
      if ('refused' in started) return refuseTurn(started.refused)
      const facts: ResponseFacts = {
        id: newId('resp'),
        createdAt: Math.floor(clock.now() / 1000),
        model,
        session,
        request,
      }
      const save: SaveResponse = async (body, output, { calls, approvals }) => {
        if (approvals.length > 0 || (calls.length > 0 && isStateless(request))) {
          await threads.saveAnswer(actor.did, session, conversation, output, approvals)
        }
        await store.save({
          id: facts.id,
          owner: actor.did,
          session,
          previous: request.previous_response_id ?? null,
          input: conversation.text,
          output,
          body: JSON.stringify(body),
          isStored: request.store !== false,
        })
      }
      const pieces = answerPieces(started, turnId => pendingIn(turns, { actor, session }, turnId))
      if (request.stream) return sseResponse(c, responseEvents(facts, pieces, save), () => disconnected.abort())
      return c.json(await responseOf(facts, pieces, save))
    },
  ),
  route.get(
    '/v1/responses/{id}',
    {
      auth: { ucan: 'session/read' },
      summary: 'A stored response',
      params: idParams,
      ok: responseRecord,
      errors: [openaiErrors.openai_response_unknown],
      refuse,
    },
    async c => {
      const found = await store.find(c.get('actor').did, c.req.valid('param').id)
      if (!found) throw openaiErrors.openai_response_unknown()
      return c.json(JSON.parse(found.body) as object)
    },
  ),
  route.delete(
    '/v1/responses/{id}',
    {
      auth: { ucan: 'session/delete' },
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

/** Returns whether the client sends the whole conversation, and names none. */
const isStateless = ({ previous_response_id: previous, conversation }: ResponseRequest): boolean =>
  !previous && !conversation

/** Finds the session in which a response is given. Throws `openai_response_unknown`. */
const threadOf = async (
  { store, threads }: { readonly store: ResponseStore; readonly threads: ThreadStore },
  owner: string,
  { previous_response_id: previousId, conversation: named }: ResponseRequest,
  conversation: Conversation,
): Promise<{ readonly session: string; readonly conversation: Conversation }> => {
  const session = typeof named === 'object' ? named?.id : named
  if (session !== undefined && session !== null) return { session, conversation }
  if (!previousId) {
    const hasResults = conversation.results.length > 0
    return { session: hasResults ? await threads.find(owner, conversation.history) : newSession(), conversation }
  }
  const previous = await store.find(owner, previousId)
  if (!previous) throw openaiErrors.openai_response_unknown()
  const latest = await store.latest(owner, previous.session)
  if (latest?.id === previous.id) return { session: previous.session, conversation }
  const history = [...(await store.historyOf(previous)), ...conversation.history]
  return { session: newSession(), conversation: { ...conversation, history } }
}
