import { type Route, route, sseResponse } from '@sibyl/plugin'
import { z } from 'zod'
import { hasAnswer } from '../answers/chat-completion.ts'
import { type CompletionParts, completionOptions, startCompletion } from '../answers/start-completion.ts'
import { failedTurn, orStream } from '../errors/openai-errors.ts'
import { maxBodyBytes } from '../requests/conversation.ts'
import { readRepeatHeaders } from '../requests/repeat-headers.ts'
import { refuse, refuseTurn } from './anthropic-error.ts'
import { anthropicEvents, anthropicMessage } from './anthropic-message.ts'
import { messagesRequest, readMessagesRequest } from './anthropic-request.ts'

/** `POST /v1/messages`: the chat completions in the form of the Anthropic API; and `count_tokens`, which runs nothing. */
export const messagesRoutes = (parts: CompletionParts): Route[] => [
  route.post(
    '/v1/messages',
    {
      ...completionOptions,
      summary: 'Answer a conversation, as messages of the Anthropic API',
      description: 'With `stream`, events come as server-sent events. Sessions and tools are as in chat completions.',
      body: messagesRequest,
      ok: orStream(z.looseObject({ id: z.string(), type: z.literal('message') })),
      refuse,
    },
    async c => {
      const request = c.req.valid('json')
      const asked = {
        actor: c.get('actor'),
        ...readRepeatHeaders(c.req.valid('header')),
        content: ['message', request],
      }
      const started = await startCompletion(parts, asked, readMessagesRequest(request))
      if ('refused' in started) return refuseTurn(started.refused)
      if (request.stream) return sseResponse(c, anthropicEvents(started), started.disconnected)
      c.req.raw.signal.addEventListener('abort', started.disconnected)
      const { result, body } = await anthropicMessage(started)
      return hasAnswer(result) ? c.json(body) : refuse(c, failedTurn(result))
    },
  ),
  route.post(
    '/v1/messages/count_tokens',
    {
      auth: completionOptions.auth,
      summary: 'Estimate the tokens of a conversation, as the Anthropic API counts them',
      description: 'Four characters are a token. What the oracle adds, such as its own tools, is not counted.',
      body: messagesRequest,
      maxBodyBytes,
      takesFiles: true,
      ok: z.object({ input_tokens: z.int() }),
      refuse,
    },
    c => {
      const { messages, system, tools } = c.req.valid('json')
      return c.json({ input_tokens: Math.ceil(JSON.stringify([messages, system, tools]).length / 4) })
    },
  ),
]
