import { type Host, type Route, route, sseResponse } from '@sibyl/plugin'
import { z } from 'zod'
import { type AnswerPiece, answerPieces } from './answers/answer-piece.ts'
import { chatCompletion, chatCompletionChunks, hasAnswer } from './answers/chat-completion.ts'
import { runConversation } from './answers/run-conversation.ts'
import { failedTurn, openaiErrors, refuse, refuseTurn } from './errors/openai-errors.ts'
import {
  chatCompletionRequest,
  checkSupported,
  clientToolsOf,
  completionForm,
} from './requests/chat-completion-request.ts'
import { type Conversation, maxBodyBytes, readConversation } from './requests/conversation.ts'
import type { ThreadStore } from './threads/thread-store.ts'

/** `POST /v1/chat/completions`. */
export const chatCompletionsRoute = (
  { turns, clock, log }: Pick<Host, 'turns' | 'clock' | 'log'>,
  threads: ThreadStore,
  model: string,
): Route =>
  route.post(
    '/v1/chat/completions',
    {
      auth: { ucan: 'chat/send' },
      summary: 'Answer a conversation, as chat completions of the OpenAI API',
      description:
        'The client holds the conversation and sends it whole; the oracle finds the session that it goes on in. With ' +
        '`stream`, chunks come as server-sent events.',
      body: chatCompletionRequest,
      ok: z.looseObject({ id: z.string(), object: z.literal('chat.completion') }),
      errors: [openaiErrors.openai_message_missing, openaiErrors.openai_not_supported],
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
      const session = await threads.find(actor.did, conversation.history)
      const disconnected = new AbortController()
      const signal = AbortSignal.any([c.req.raw.signal, disconnected.signal])
      const clientTools = clientToolsOf(request)
      const outputSchema = completionForm(request)
      const started = await runConversation(turns, {
        actor,
        session,
        conversation,
        clientTools,
        outputSchema,
        signal,
      })
      if ('refused' in started) return refuseTurn(started.refused)
      const facts = {
        id: `chatcmpl-${started.turnId}`,
        created: Math.floor(clock.now() / 1000),
        model,
        sessionId: session,
      }
      const answer = answerPieces(started, () => turns.pending(actor.did, session))
      const pieces = stored(answer, { threads, owner: actor.did, session, conversation })
      if (request.stream) {
        const frames = chatCompletionChunks(facts, pieces, request.stream_options?.include_usage === true)
        return sseResponse(frames, () => disconnected.abort())
      }
      const { result, body } = await chatCompletion(facts, pieces)
      if (hasAnswer(result)) return c.json(body)
      log.debug('a chat completion failed', { turn: result.turnId, code: result.code })
      return refuse(c, failedTurn(result.code))
    },
  )

/** Passes an answer on, and stores what its session holds before the client reads the end. */
async function* stored(
  pieces: AsyncIterable<AnswerPiece>,
  to: {
    readonly threads: ThreadStore
    readonly owner: string
    readonly session: string
    readonly conversation: Conversation
  },
): AsyncGenerator<AnswerPiece> {
  const { threads, owner, session, conversation } = to
  let answer = ''
  for await (const piece of pieces) {
    if (piece.kind === 'text') answer += piece.text
    if (piece.kind === 'end' && hasAnswer(piece.result)) {
      const { history, text } = conversation
      const said = [...history, { role: 'user', text }, { role: 'assistant', text: answer }] as const
      await threads.save(
        owner,
        session,
        said.filter(({ text }) => text.trim() !== ''),
      )
    }
    yield piece
  }
}
