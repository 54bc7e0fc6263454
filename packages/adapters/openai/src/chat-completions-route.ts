import { type Host, type Route, route, sseResponse } from '@sibyl/plugin'
import { z } from 'zod'
import { answerPieces } from './answers/answer-piece.ts'
import { chatCompletion, chatCompletionChunks, hasAnswer, type SaveAnswer } from './answers/chat-completion.ts'
import { type ClientRequest, type RequestRuns, repeatHeaders } from './answers/request-runs.ts'
import { pendingIn, runConversation } from './answers/run-conversation.ts'
import { failedTurn, openaiErrors, orStream, refuse, refuseTurn } from './errors/openai-errors.ts'
import {
  chatCompletionRequest,
  checkSupported,
  clientToolsOf,
  completionForm,
} from './requests/chat-completion-request.ts'
import { maxBodyBytes, readConversation } from './requests/conversation.ts'
import type { ThreadStore } from './threads/thread-store.ts'

/** `POST /v1/chat/completions`. */
export const chatCompletionsRoute = (
  { turns, log }: Pick<Host, 'turns' | 'log'>,
  runs: RequestRuns,
  threads: ThreadStore,
  model: string,
): Route =>
  route.post(
    '/v1/chat/completions',
    {
      auth: { ucan: 'chat/send' },
      summary: 'Answer a conversation, as chat completions of the OpenAI API',
      description:
        'The client sends the whole conversation; the oracle finds the session that it continues. With ' +
        '`stream`, chunks come as server-sent events.',
      headers: repeatHeaders,
      body: chatCompletionRequest,
      ok: orStream(z.looseObject({ id: z.string(), object: z.literal('chat.completion') })),
      errors: [openaiErrors.openai_key_reused, openaiErrors.openai_message_missing, openaiErrors.openai_not_supported],
      maxBodyBytes,
      takesFiles: true,
      timeLimit: false,
      refuse,
    },
    async c => {
      const request = c.req.valid('json')
      checkSupported(request)
      const conversation = readConversation(request.messages)
      const actor = c.get('actor')
      const clientTools = clientToolsOf(request)
      const outputSchema = completionForm(request)
      const asked: ClientRequest = { actor, headers: c.req.valid('header'), content: ['completion', request] }
      const run = await runs.begin(asked, async ({ signal, createdAt, within }) => {
        const session = await threads.find(actor.did, conversation.history)
        const place = { session, answer: '', createdAt }
        const begun = await runConversation(turns, {
          actor,
          session,
          conversation,
          clientTools,
          outputSchema,
          signal,
          within: within(place),
          asked: () => threads.askedIn(actor.did, session),
        })
        return 'refused' in begun ? begun : { ...place, turn: begun }
      })
      if ('refused' in run) return refuseTurn(run.refused)
      const { turn, session } = run
      const facts = {
        id: `chatcmpl-${turn.turnId}`,
        created: Math.floor(run.createdAt / 1000),
        model,
        sessionId: session,
      }
      const pieces = answerPieces(turn, turnId => pendingIn(turns, { actor, session }, turnId))
      const save: SaveAnswer = async (result, answer, approvals) => {
        if (!hasAnswer(result)) return
        await run.save(tx => threads.saveAnswer(tx, actor.did, session, conversation, answer, approvals))
      }
      if (request.stream) {
        const frames = chatCompletionChunks(facts, pieces, save, request.stream_options?.include_usage === true)
        return sseResponse(c, frames, run.disconnected)
      }
      c.req.raw.signal.addEventListener('abort', run.disconnected)
      const { result, body } = await chatCompletion(facts, pieces, save)
      if (hasAnswer(result)) return c.json(body)
      log.debug('a chat completion failed', { turn: result.turnId, code: result.code })
      return refuse(c, failedTurn(result))
    },
  )
