import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { chatCompletion, chatCompletionEvents } from './fake-chat-completions.ts'
import { callIdPlaceholder, type FakeAnswer, type FakeFailure, type FakeReply } from './fake-openai-reply.ts'
import { responseBody, responseEvents } from './fake-responses.ts'
import { failTest, type OnViolation } from './strict/report-violation.ts'
import { ofChatCompletion, ofResponse } from './strict/strict-request.ts'
import { strictViolation } from './strict/strict-violations.ts'

/** A request that the fake server got. */
export interface FakeRequest {
  readonly api: 'chat-completions' | 'responses'
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
  readonly stream: boolean
  /** Names of the tools on offer. */
  readonly tools: readonly string[]
  /** Whether the conversation ends with a tool's result, as in the second step of a turn. */
  readonly afterToolResult: boolean
  /** Settles when the exchange is over: answered in full, or given up by the client. */
  readonly ended: Promise<'answered' | 'aborted'>
}

/** How the fake server answers: one reply a request in order, or a function that chooses. */
export type FakeScript = readonly FakeReply[] | ((request: FakeRequest) => FakeReply | Promise<FakeReply>)

/** What `startFakeOpenAi` takes. */
export interface FakeOpenAiOptions {
  readonly replies: FakeScript
  /** Answer 401 to any other key. @default any key, or none */
  readonly apiKey?: string
  /** The names at `GET /models`. @default none: 404 */
  readonly models?: readonly string[]
  /** Called for each request of that list. */
  readonly onModels?: () => void
  /** @default 0, a free one */
  readonly port?: number
  /** Keep the requests; off for long benchmarks. @default true */
  readonly record?: boolean
  /** Called for a request that is answered 400 because a strict provider rejects it. @default fails the test */
  readonly onViolation?: OnViolation
}

/** A running fake of OpenAI's HTTP API. */
export interface FakeOpenAi {
  /** For `OPENAI_BASE_URL`: http://127.0.0.1:<port>/v1 */
  readonly url: string
  /** The requests so far, oldest first. */
  readonly requests: readonly FakeRequest[]
  /** Ends open connections and stops. */
  close(): Promise<void>
}

const apis: Readonly<Record<string, FakeRequest['api'] | undefined>> = {
  '/v1/chat/completions': 'chat-completions',
  '/v1/responses': 'responses',
}

const readBody = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined
  } catch {
    return undefined
  }
}

const describeRequest = (
  api: FakeRequest['api'],
  headers: IncomingHttpHeaders,
  body: Readonly<Record<string, unknown>>,
  ended: FakeRequest['ended'],
): FakeRequest => {
  const conversation = api === 'responses' ? body.input : body.messages
  const last = (Array.isArray(conversation) ? conversation.at(-1) : undefined) as Record<string, unknown> | undefined
  const tools = Array.isArray(body.tools) ? body.tools : []
  return {
    api,
    headers,
    body,
    ended,
    stream: body.stream === true,
    tools: tools.map(tool => String(tool.name ?? tool.function?.name)),
    afterToolResult: api === 'responses' ? last?.type === 'function_call_output' : last?.role === 'tool',
  }
}

/** Events or body of an answer, made once for each way it is asked for. */
const encoder = () => {
  const made = new WeakMap<FakeAnswer, Map<string, readonly string[]>>()
  return (answer: FakeAnswer, { api, stream, body }: FakeRequest): readonly string[] => {
    const model = String(body.model)
    const options = body.stream_options as { include_usage?: unknown } | undefined
    const usage = options?.include_usage === true
    const key = `${api} ${stream} ${usage} ${model}`
    const forms = made.get(answer) ?? new Map<string, readonly string[]>()
    made.set(answer, forms)
    const known = forms.get(key)
    if (known !== undefined) return known
    const whole = api === 'responses' ? responseBody : chatCompletion
    const events = () =>
      api === 'responses' ? responseEvents(answer, model) : chatCompletionEvents(answer, model, usage)
    const pieces = stream ? events() : [JSON.stringify(whole(answer, model))]
    const encoded = (answer.eventDelayMs ?? 0) > 0 ? pieces : [pieces.join('')]
    forms.set(key, encoded)
    return encoded
  }
}

const fail = (response: ServerResponse, failure: FakeFailure) => {
  const error = { message: 'The fake server was told to fail.', type: 'invalid_request_error', param: null, code: null }
  const body = failure.body ?? JSON.stringify({ error: { ...error, ...failure.error } })
  response.writeHead(failure.status, { 'content-type': 'application/json', ...failure.headers }).end(body)
}

/**
 * Starts a server on loopback that speaks OpenAI's chat completions and Responses APIs, streamed or not, after a script. It checks
 * every request as the strictest providers do: one that is invalid is answered 400 in a provider's words, and fails the test.
 *
 * @example
 * const openai = await startFakeOpenAi({ replies: [{ toolCalls: [{ name: 'add', arguments: { a: 1 } }] }, { text: '2' }] })
 * // ... an app with LLM_PROVIDER=openai-compatible, OPENAI_BASE_URL=openai.url ...
 * await openai.close()
 */
export const startFakeOpenAi = async (options: FakeOpenAiOptions): Promise<FakeOpenAi> => {
  const requests: FakeRequest[] = []
  const encode = encoder()
  let answered = 0

  const choose = async (request: FakeRequest): Promise<FakeReply> => {
    if (typeof options.replies === 'function') return options.replies(request)
    const reply = options.replies[answered++]
    return reply ?? { status: 500, error: { message: `The script has ${options.replies.length} replies only.` } }
  }

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const api = apis[new URL(incoming.url ?? '/', 'http://localhost').pathname]
    const body = await readBody(incoming)
    if (options.models !== undefined && incoming.url === '/v1/models') {
      options.onModels?.()
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ object: 'list', data: options.models.map(id => ({ id, object: 'model' })) }))
    }
    if (api === undefined || incoming.method !== 'POST') {
      return fail(response, {
        status: 404,
        error: { message: `Unknown request URL: ${incoming.method} ${incoming.url}` },
      })
    }
    if (options.apiKey !== undefined && incoming.headers.authorization !== `Bearer ${options.apiKey}`) {
      return fail(response, { status: 401, error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } })
    }
    if (body === undefined) return fail(response, { status: 400, error: { message: 'The body is not a JSON object.' } })

    const ended = new Promise<'answered' | 'aborted'>(resolve => {
      response.once('close', () => resolve(response.writableFinished ? 'answered' : 'aborted'))
    })
    const request = describeRequest(api, incoming.headers, body, ended)
    if (options.record !== false) requests.push(request)
    const violation = strictViolation(api === 'responses' ? ofResponse(body) : ofChatCompletion(body))
    if (violation !== undefined) {
      const { onViolation = failTest } = options
      onViolation(violation)
      return fail(response, { status: 400, error: { message: violation } })
    }
    const reply = await choose(request)
    if (reply.delayMs) await sleep(reply.delayMs)
    if ('status' in reply) return fail(response, reply)

    const pieces = encode(reply, request)
    const unique = randomBytes(12).toString('hex')
    response.writeHead(200, { 'content-type': request.stream ? 'text/event-stream' : 'application/json' })
    for (const [index, piece] of pieces.entries()) {
      const text = piece.replaceAll(callIdPlaceholder, unique)
      if (reply.eventDelayMs) await sleep(reply.eventDelayMs)
      if (response.destroyed) return
      if (index === pieces.length - 1) response.end(text)
      else response.write(text)
    }
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}
