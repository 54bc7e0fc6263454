import { type Route, type RouteRefusal, route, sseResponse } from '@sibyl/plugin'
import { retryAfter } from '@sibyl/plugin/host'
import { z } from 'zod'
import { hasAnswer } from '../answers/chat-completion.ts'
import { type CompletionParts, completionOptions, startCompletion } from '../answers/start-completion.ts'
import { failedTurn } from '../errors/openai-errors.ts'
import { readRepeatHeaders } from '../requests/repeat-headers.ts'
import { ollamaLines } from './ollama-lines.ts'
import { ollamaRequest, readOllamaRequest } from './ollama-request.ts'

const refused = ({
  status,
  code,
  detail,
  ...rest
}: RouteRefusal & { readonly retryAfterSeconds?: number | undefined }) =>
  Response.json({ error: detail ?? code, code }, { status, headers: retryAfter(rest) })

const refuse: NonNullable<Route['refuse']> = (_, refusal) => refused(refusal)

const tag = z.looseObject({ name: z.string(), model: z.string(), modified_at: z.string() })

/** `GET /api/tags` and `POST /api/chat` of Ollama. @param startedAt Milliseconds since 1970. */
export const ollamaRoutes = (parts: CompletionParts, startedAt: number): Route[] => [
  route.get(
    '/api/tags',
    {
      auth: { ucan: 'chat/send', keyHeaders: true },
      summary: 'The oracle as the only model, for clients of Ollama',
      ok: z.object({ models: z.array(tag) }),
      refuse,
    },
    c => {
      const details = { format: '', family: 'sibyl', families: ['sibyl'], parameter_size: '', quantization_level: '' }
      const modified_at = new Date(startedAt).toISOString()
      return c.json({ models: [{ name: parts.model, model: parts.model, modified_at, size: 0, digest: '', details }] })
    },
  ),
  route.post(
    '/api/chat',
    {
      ...completionOptions,
      summary: 'Answer a conversation, as the chat of Ollama',
      description:
        'The answer comes as lines of JSON, or with `stream: false` as one. Sessions are as in chat completions.',
      body: ollamaRequest,
      ok: z.looseObject({ model: z.string(), done: z.boolean() }),
      refuse,
    },
    async c => {
      const request = c.req.valid('json')
      const asked = { actor: c.get('actor'), ...readRepeatHeaders(c.req.valid('header')), content: ['chat', request] }
      const started = await startCompletion(parts, asked, readOllamaRequest(request))
      if ('refused' in started) return refused(started.refused)
      const lines = ollamaLines(started)
      if (request.stream !== false) return sseResponse(c, asText(lines), started.disconnected, ndjson)
      c.req.raw.signal.addEventListener('abort', started.disconnected)
      let content = ''
      let thinking = ''
      for await (const { line, result, kept } of lines) {
        if (kept !== undefined) content = kept
        content += line.message?.content ?? ''
        thinking += line.message?.thinking ?? ''
        if (!result) continue
        if (!hasAnswer(result)) return refuse(c, failedTurn(result))
        return c.json({ ...line, message: { ...line.message, content, ...(thinking ? { thinking } : {}) } })
      }
      throw new TypeError('a turn ended without its end')
    },
  ),
]

const ndjson = 'application/x-ndjson'

async function* asText(lines: ReturnType<typeof ollamaLines>): AsyncGenerator<string> {
  for await (const { line, kept } of lines) {
    yield `${JSON.stringify(line)}\n`
    if (kept !== undefined) return
  }
}
