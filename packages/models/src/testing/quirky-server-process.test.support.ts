// Simulates model servers that differ from OpenAI's chat completions, each under its own path: prints its URL, and
// keeps running.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ofChatCompletion } from './strict/strict-request.ts'
import { strictViolation } from './strict/strict-violations.ts'

interface ChatBody {
  readonly stream?: boolean
  readonly stream_options?: unknown
  readonly tools?: readonly unknown[]
  readonly response_format?: unknown
  readonly messages: readonly { readonly role: string; readonly content?: unknown; readonly tool_calls?: unknown }[]
}

const requests: { path: string; headers: IncomingMessage['headers']; body: ChatBody }[] = []

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

const stream = (response: ServerResponse, pieces: readonly string[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of pieces) response.write(piece)
  return response
}

const fine = (response: ServerResponse) =>
  stream(response, [
    chunk({ role: 'assistant', content: 'fi' }),
    chunk({ content: 'ne' }),
    chunk({}, 'stop'),
    'data: [DONE]\n\n',
  ]).end()

const dryDays = { name: 'dry_days', arguments: { place: 'Lusaka', note: 'a "quoted" {brace}' } }

const seesPictures = ({ messages }: ChatBody): boolean => JSON.stringify(messages).includes('image_url')

/** A server whose model takes text alone, by what it says to a picture. */
const blind =
  (status: number, error: unknown) =>
  (response: ServerResponse, body: ChatBody): unknown =>
    seesPictures(body) ? json(response, status, error) : fine(response)

/** A server that rejects a form of request, by what it says to it. */
const rejecting =
  (has: (body: ChatBody) => boolean, message: string) =>
  (response: ServerResponse, body: ChatBody): unknown =>
    has(body) ? json(response, 400, { error: { message } }) : fine(response)

const hasSystem = ({ messages }: ChatBody): boolean => messages.some(({ role }) => role === 'system')
const hasList = ({ messages }: ChatBody): boolean => messages.some(({ content }) => Array.isArray(content))
const hasFormat = ({ response_format }: ChatBody): boolean => response_format !== undefined

/** What each server does with a request that it has. */
const servers: Readonly<Record<string, (response: ServerResponse, body: ChatBody, path: string) => unknown>> = {
  'blind-llama': blind(500, { error: { message: 'image input is not supported - hint: provide the mmproj' } }),
  'blind-vllm': blind(400, { message: 'm is not a multimodal model None' }),
  'blind-ollama': blind(500, { error: 'this model is missing data required for image input' }),
  'blind-openai': blind(400, {
    error: { message: 'Invalid content type. image_url is only supported by certain models.' },
  }),
  'blind-openrouter': blind(404, { error: { message: 'No endpoints found that support image input' } }),
  'blind-deepseek': blind(400, { error: { message: 'unknown variant `image_url`, expected `text`' } }),
  'system-gemma': rejecting(hasSystem, 'System role not supported'),
  'system-google': rejecting(hasSystem, 'Developer instruction is not enabled for models/gemma-3-27b-it'),
  'system-template': rejecting(hasSystem, 'Conversation roles must alternate user/assistant/user/assistant/...'),
  'system-vllm': rejecting(hasSystem, 'Only user and assistant roles are supported!'),
  'list-pydantic': rejecting(
    hasList,
    "[{'loc': ('messages', 0, 'content'), 'msg': 'str type expected'}]: content str type expected",
  ),
  'list-rust': rejecting(
    hasList,
    'Failed to deserialize: messages[1].content: invalid type: sequence, expected a string',
  ),
  'list-go': rejecting(hasList, 'json: cannot unmarshal array into Go struct field .messages.content of type string'),
  'list-groq': rejecting(
    hasList,
    "'messages.1' : for 'role:user' the following must be satisfied[('messages.1.content' : value must be a string)]",
  ),
  'format-openai': rejecting(
    hasFormat,
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
  ),
  'format-groq': rejecting(hasFormat, 'json mode cannot be combined with tool/function calling'),
  'format-llama': rejecting(hasFormat, 'Cannot use custom grammar constraints with tools.'),
  'two-roles': (response, body) => {
    const hasOthers = body.messages.some(({ role }) => role !== 'user' && role !== 'assistant')
    if (hasOthers) return json(response, 500, { error: { message: 'Only user and assistant roles are supported!' } })
    if (!body.tools) return fine(response)
    const call = { index: 0, id: 'call-1', type: 'function', function: { name: 'dry_days', arguments: '{}' } }
    return stream(response, [chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), 'data: [DONE]\n\n']).end()
  },
  'broken-picture': blind(400, { error: { message: 'The image data you provided does not represent a valid image.' } }),
  'no-tools': (response, { tools }) =>
    tools
      ? json(response, 400, { error: { message: 'registry.ollama.ai/library/gemma:2b does not support tools' } })
      : fine(response),
  'vllm-no-tools': (response, { tools }) =>
    tools
      ? json(response, 400, {
          message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        })
      : fine(response),
  'json-reply': response =>
    json(response, 200, {
      id: 'c',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'fine' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
    }),
  'json-tool': (response, { messages }) =>
    messages.at(-1)?.role === 'tool'
      ? fine(response)
      : json(response, 200, {
          id: 'c',
          created: 1,
          model: 'm',
          choices: [
            {
              message: { content: null, tool_calls: [{ id: 'call-1', type: 'function', function: dryDays }] },
              finish_reason: null,
            },
          ],
        }),
  'no-stream-options': (response, { stream_options }) =>
    stream_options
      ? json(response, 422, { detail: [{ loc: ['body', 'stream_options'], msg: 'extra fields not permitted' }] })
      : fine(response),
  'object-arguments': (response, { messages }) =>
    messages.at(-1)?.role === 'tool'
      ? fine(response)
      : stream(response, [
          chunk({ tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: dryDays }] }),
          chunk({}, 'tool_calls'),
          'data: [DONE]\n\n',
        ]).end(),
  think: (response, { stream: isStreamed }) => {
    if (!isStreamed) {
      const message = { role: 'assistant', content: '<think>Rain? No.</think>\n\nfine' }
      return json(response, 200, { id: 'c', created: 1, model: 'm', choices: [{ message, finish_reason: 'stop' }] })
    }
    const pieces = ['\n<thi', 'nk>Rain? ', 'No.</th', 'ink>\n', '\nfi', 'ne <think> stays'].map(content =>
      chunk({ content }),
    )
    return stream(response, [...pieces, chunk({}, 'stop'), 'data: [DONE]\n\n']).end()
  },
  'think-alone': response =>
    stream(response, [chunk({ content: '<think>Rain' }), chunk({}, 'stop'), 'data: [DONE]\n\n']).end(),
  'less-than': response =>
    stream(response, [chunk({ content: ' <thin' }), chunk({ content: 'g' }), chunk({}, 'stop')]).end(),
  'not-versioned': (response, _, path) =>
    path.endsWith('/v1/chat/completions') ? fine(response) : json(response, 404, { detail: 'Not Found' }),
  'page-not-versioned': (response, _, path) =>
    path.endsWith('/v1/chat/completions')
      ? fine(response)
      : response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hunter2</html>'),
  page: response => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>hunter2</html>'),
  empty: response => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
  'unknown-model': response => json(response, 404, { error: { message: 'model "m" not found, try pulling it first' } }),
  'bad-key': response =>
    json(response, 401, {
      error: { message: 'Incorrect API key provided: sk-hunter2hunter2. Call +260 97 123 4567.\u0007' },
    }),
  'error-as-answer': response => json(response, 200, { error: 'Unexpected endpoint or method.' }),
  'event-after-text': response =>
    stream(response, [
      chunk({ content: 'fine' }),
      chunk({}, 'stop'),
      'data: {"error":{"message":"late"}}\n\n',
      'data: not json\n\n',
      'event: ping\ndata: {"type":"ping"}\n\n',
      'data: {"id":"c","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}\n\n',
      'data: [DONE]\n\n',
    ]).end(),
  'breaks-after-text': response => {
    stream(response, [chunk({ content: 'fine' }), chunk({}, 'stop')])
    setImmediate(() => setImmediate(() => response.destroy()))
  },
  'wants-header': response =>
    requests.at(-1)?.headers['x-portkey-provider'] === 'open ai'
      ? fine(response)
      : json(response, 400, { message: 'x-portkey-provider is missing' }),
}

const server = createServer(async (request, response) => {
  if (request.url === '/seen') return json(response, 200, requests.splice(0))
  const chunks: Buffer[] = []
  for await (const bytes of request) chunks.push(bytes as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as ChatBody
  const path = request.url ?? ''
  requests.push({ path, headers: request.headers, body })
  const violation = request.method === 'POST' ? strictViolation(ofChatCompletion({ ...body })) : undefined
  if (violation !== undefined) return json(response, 400, { error: { message: violation } })
  await servers[path.split('/')[1] ?? '']?.(response, body, path)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
