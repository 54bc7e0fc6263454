import { type Route, route, sseResponse } from '@sibyl/plugin'
import { z } from 'zod'
import { chatCompletion, chatCompletionChunks, hasAnswer } from './answers/chat-completion.ts'
import { type CompletionParts, completionOptions, startCompletion } from './answers/start-completion.ts'
import { failedTurn, orStream, refuse, refuseTurn } from './errors/openai-errors.ts'
import {
  chatCompletionRequest,
  checkSupported,
  completionForm,
  completionTools,
} from './requests/chat-completion-request.ts'
import { readRepeatHeaders } from './requests/repeat-headers.ts'

const paths = {
  '/v1/chat/completions': 'Answer a conversation, as chat completions of the OpenAI API',
  '/openai/v1/chat/completions': 'Answer a conversation, at the path of Azure OpenAI',
  '/openai/deployments/{deployment}/chat/completions': 'Answer a conversation, at a deployment of Azure OpenAI',
} as const

/** `POST /v1/chat/completions`, also at the paths of Azure. */
export const chatCompletionsRoutes = (parts: CompletionParts): Route[] =>
  Object.entries(paths).map(([path, summary]) => chatCompletionsRoute(parts, path as keyof typeof paths, summary))

const chatCompletionsRoute = (parts: CompletionParts, path: keyof typeof paths, summary: string): Route =>
  route.post(
    path,
    {
      ...completionOptions,
      summary,
      description:
        'The client sends the whole conversation; the oracle finds the session that it continues. With ' +
        '`stream`, chunks come as server-sent events.',
      ...(path.includes('{') ? { params: z.object({ deployment: z.string().max(200) }) } : {}),
      body: chatCompletionRequest,
      ok: orStream(z.looseObject({ id: z.string(), object: z.literal('chat.completion') })),
      refuse,
    },
    async c => {
      const request = c.req.valid('json')
      checkSupported(request)
      const asked = {
        actor: c.get('actor'),
        ...readRepeatHeaders(c.req.valid('header')),
        content: ['completion', request],
      }
      const started = await startCompletion(parts, asked, {
        messages: request.messages,
        tools: completionTools(request),
        outputSchema: completionForm(request),
      })
      if ('refused' in started) return refuseTurn(started.refused)
      const { pieces, save, disconnected } = started
      const facts = { ...started.facts, id: `chatcmpl-${started.facts.id}` }
      if (request.stream) {
        const frames = chatCompletionChunks(facts, pieces, save, request.stream_options?.include_usage === true)
        return sseResponse(c, frames, disconnected)
      }
      c.req.raw.signal.addEventListener('abort', disconnected)
      const { result, body } = await chatCompletion(facts, pieces, save)
      if (hasAnswer(result)) return c.json(body)
      parts.log.debug('a chat completion failed', { turn: result.turnId, code: result.code })
      return refuse(c, failedTurn(result))
    },
  )
