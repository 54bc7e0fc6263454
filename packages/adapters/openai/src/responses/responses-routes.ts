import { type Host, type Route, route, sseResponse } from '@sibyl/plugin'
import { newId } from '@sibyl/plugin/host'
import { z } from 'zod'
import { answerPieces } from '../answers/answer-piece.ts'
import { type ClientRequest, type RequestPlace, type RequestRuns, repeatHeaders } from '../answers/request-runs.ts'
import { pendingIn, runConversation } from '../answers/run-conversation.ts'
import { openaiErrors, orStream, refuse, refuseTurn } from '../errors/openai-errors.ts'
import { type Conversation, maxBodyBytes } from '../requests/conversation.ts'
import { ignoredTools } from '../requests/function-tool.ts'
import {
  type ResponseRequest,
  readInput,
  responseForm,
  responseRequest,
  responseTools,
} from '../requests/response-request.ts'
import { newSession, type ThreadStore } from '../threads/thread-store.ts'
import type { OpenAiTransaction } from '../threads/threads-tables.ts'
import { responseEvents, responseOf, type SaveResponse } from './response-events.ts'
import { type ResponseObject, startedResponse } from './response-object.ts'
import type { ResponseStore } from './response-store.ts'

const responseRecord = z.looseObject({ id: z.string(), object: z.literal('response'), status: z.string() })
const idParams = z.object({ id: z.string().max(200) })

/** `POST /v1/responses`, and reading and deleting what it answered. */
export const responsesRoutes = (
  { turns }: Pick<Host, 'turns'>,
  runs: RequestRuns,
  store: ResponseStore,
  threads: ThreadStore,
  model: string,
): Route[] => [
  route.post(
    '/v1/responses',
    {
      auth: { ucan: 'chat/send', keyHeaders: true },
      summary: 'Answer a message, as a response of the OpenAI API',
      description:
        '`previous_response_id` continues the session of a response, or a copy of it if the session has later messages. ' +
        '`conversation` is the id of a session. A client that sends the whole conversation as `input` needs neither, also ' +
        'with results of its functions. With `stream`, events come as server-sent events.',
      headers: repeatHeaders,
      body: responseRequest,
      ok: orStream(responseRecord),
      errors: Object.values(openaiErrors),
      maxBodyBytes,
      takesFiles: true,
      timeLimit: false,
      refuse,
    },
    async c => {
      const request = c.req.valid('json')
      const read = readInput(request)
      const { ignored, ...tools } = responseTools(request)
      const notices = [...ignoredTools(ignored), ...read.leftOut]
      const outputSchema = responseForm(request)
      const actor = c.get('actor')
      const owner = actor.did
      const startedOf = ({ answer: id, session, createdAt }: RequestPlace) =>
        startedResponse({ id, session, createdAt: Math.floor(createdAt / 1000), model, request })
      const storeStart = (tx: OpenAiTransaction, place: RequestPlace, turn: string) =>
        store.begin(tx, {
          id: place.answer,
          owner,
          session: place.session,
          previous: request.previous_response_id ?? null,
          input: read.text,
          output: '',
          body: JSON.stringify(startedOf(place)),
          isStored: request.store !== false,
          turn,
        })
      const asked: ClientRequest = { actor, headers: c.req.valid('header'), content: ['response', request] }
      const run = await runs.begin(asked, async ({ createdAt, within }) => {
        const { session, conversation } = await threadOf({ store, threads }, owner, request, read)
        const place = { session, answer: newId('resp'), createdAt }
        const begun = await runConversation(turns, {
          actor,
          session,
          conversation,
          tools,
          outputSchema,
          within: within(place, (tx, turn) => storeStart(tx, place, turn)),
          asked: () => threads.askedIn(owner, session),
        })
        return 'refused' in begun ? begun : { ...place, turn: begun }
      })
      if ('refused' in run) return refuseTurn(run.refused)
      const { session, turn, answer: id } = run
      const save: SaveResponse = (body, output, { calls, approvals }) =>
        run.save(async tx => {
          if (approvals.length > 0 || (calls.length > 0 && isStateless(request))) {
            await threads.saveAnswer(tx, owner, session, read, output, approvals)
          }
          if ('pending' in turn) await storeStart(tx, run, turn.turnId)
          await store.end(tx, { owner, id, output, body: JSON.stringify(body) })
        })
      const pieces = answerPieces(turn, turnId => pendingIn(turns, { actor, session }, turnId), notices)
      if (request.stream) return sseResponse(c, responseEvents(startedOf(run), pieces, save), run.disconnected)
      c.req.raw.signal.addEventListener('abort', run.disconnected)
      return c.json(await responseOf(startedOf(run), pieces, save))
    },
  ),
  route.get(
    '/v1/responses/{id}',
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
      const turn = found.turn === null ? undefined : await turns.follow(actor.did, found.turn)
      if (!turn || turn.isRunning()) return c.json(body)
      const pieces = answerPieces(turn, turnId => pendingIn(turns, { actor, session: found.session }, turnId))
      return c.json(
        await responseOf(body, pieces, (ended, output) => store.close(found, output, JSON.stringify(ended))),
      )
    },
  ),
  route.delete(
    '/v1/responses/{id}',
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
