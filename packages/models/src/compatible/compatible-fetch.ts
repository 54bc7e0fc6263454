import type { Logger } from '@sibyl/plugin'
import { ModelCallFailed } from '../failures/model-call-failed.ts'
import { completionEvents, repairCompletion } from './completion.ts'
import { repairEvents } from './repair-events.ts'

/** The body of `POST /chat/completions`, as far as it is changed. */
interface ChatRequest {
  readonly model: string
  readonly stream?: boolean
  readonly stream_options?: unknown
  readonly tools?: readonly unknown[]
  readonly tool_choice?: unknown
  readonly messages: readonly { readonly role: string; readonly content?: unknown; readonly tool_calls?: unknown }[]
}

/** Features that a server has rejected. */
interface Limits {
  streamOptions: boolean
  readonly withoutTools: Set<string>
  readonly withoutFiles: Set<string>
  /** Put before the path where the base URL lacks it. */
  version: '' | '/v1'
}

/** More changes to one request than there are kinds of them. */
const maxTries = 5

const rejectsTools =
  /(do(es)?n[o']?t|not) support (the )?(tool|function)|tools? (is|are) not supported|tool[ _]choice\W.*requires/i

/** Texts of servers whose model takes text alone; an error about one certain picture does not match. */
const rejectsFiles =
  /(image|vision|multi-?modal)[^.]{0,60}(not|n't|only) (be )?support|(not|n't|only) support[^.]{0,60}(image|vision|multi-?modal)|not a multi-?modal|no endpoints[^.]{0,60}image|unknown variant .{0,3}(image_url|file)|at most 0 image|missing data required for image|mmproj/i

/**
 * Returns a `fetch` for servers that speak OpenAI's chat completions with differences. A request that a server rejects for its
 * `stream_options`, its tools or its files is sent again without them, and one that is unknown at a base URL without `/v1` is sent
 * there; both are remembered. A JSON answer to a streamed request becomes a stream.
 *
 * @param send sends a request, with its limits
 */
export const compatibleFetch = (send: typeof fetch, log: Logger): typeof fetch => {
  const limits: Limits = { streamOptions: true, withoutTools: new Set(), withoutFiles: new Set(), version: '' }
  return async (input, init) => {
    let asked: ChatRequest | undefined
    const readAsked = () => {
      asked ??= readRequest(init?.body)
      return asked
    }
    for (let tries = 1; ; tries += 1) {
      const url = withVersion(String(input), limits.version)
      const request = isLimited(limits) ? within(limits, readAsked()) : undefined
      const answer = await send(url, request ? { ...init, body: JSON.stringify(request) } : init)
      // The usual answer, for which the request is not read.
      if (answer.ok && hasType(answer, 'text/event-stream')) return repaired(answer)
      const current = request ?? readAsked()
      if (current === undefined) return answer
      if (answer.ok && !isPage(answer)) return current.stream === true ? streamed(answer) : whole(answer)
      const text = await answer.text()
      const change = tries < maxTries ? changeFor(answer, text, current, url) : undefined
      if (change === undefined) {
        if (answer.ok) throw new ModelCallFailed('model_bad_response', { reasons: ['web_page'] })
        return new Response(text, answer)
      }
      change.apply(limits)
      log.warn(change.message, { model: current.model, ...change.fields })
    }
  }
}

interface Change {
  readonly message: string
  readonly fields?: Readonly<Record<string, unknown>>
  apply(limits: Limits): void
}

const changeFor = (answer: Response, text: string, request: ChatRequest, url: string): Change | undefined => {
  if (isUnknownPath(answer, text) && !/\/v\d\w*\//.test(new URL(url).pathname)) {
    return {
      message: 'the model server does not serve chat completions at OPENAI_BASE_URL; /v1 is appended',
      fields: { variable: 'OPENAI_BASE_URL' },
      apply: limits => {
        limits.version = '/v1'
      },
    }
  }
  if (answer.status >= 400 && hasFiles(request) && rejectsFiles.test(text)) {
    return {
      message:
        'the model does not see pictures: it gets their names. Set LLM_INPUTS=none, or LLM_MODEL to one that does',
      fields: { variable: 'LLM_INPUTS' },
      apply: limits => limits.withoutFiles.add(request.model),
    }
  }
  if (answer.status !== 400 && answer.status !== 422 && answer.status !== 501) return undefined
  if (request.stream_options !== undefined && text.includes('stream_options')) {
    return {
      message: 'the model server rejects stream_options; tokens are estimated if it does not report them',
      apply: limits => {
        limits.streamOptions = false
      },
    }
  }
  if (request.tools !== undefined && rejectsTools.test(text)) {
    return {
      message: 'the model does not support tools: it chats without them. Set LLM_MODEL to a model that does',
      fields: { variable: 'LLM_MODEL' },
      apply: limits => limits.withoutTools.add(request.model),
    }
  }
  return undefined
}

const hasType = ({ headers }: Response, type: string): boolean =>
  (headers.get('content-type') ?? '').toLowerCase().split(';')[0]?.trim() === type

const isPage = (answer: Response): boolean => hasType(answer, 'text/html')

/** A path that is unknown, not a model: servers answer 404 to both. */
const isUnknownPath = (answer: Response, text: string): boolean =>
  (answer.ok && isPage(answer)) || ((answer.status === 404 || answer.status === 405) && !/\bmodel\b/i.test(text))

const readRequest = (body: unknown): ChatRequest | undefined => {
  if (typeof body !== 'string') return undefined
  const parsed: unknown = JSON.parse(body)
  return typeof parsed === 'object' && parsed !== null && 'messages' in parsed ? (parsed as ChatRequest) : undefined
}

const isLimited = ({ streamOptions, withoutTools, withoutFiles }: Limits): boolean =>
  !streamOptions || withoutTools.size > 0 || withoutFiles.size > 0

/** Returns a request without what the server cannot do; undefined where nothing changes. */
const within = (
  { streamOptions, withoutTools, withoutFiles }: Limits,
  asked: ChatRequest | undefined,
): ChatRequest | undefined => {
  if (asked === undefined) return undefined
  const isPlain = withoutTools.has(asked.model)
  const isBlind = withoutFiles.has(asked.model) && hasFiles(asked)
  if (streamOptions && !isPlain && !isBlind) return undefined
  const { stream_options, tools, tool_choice, messages: given, ...rest } = asked
  const messages = isBlind ? given.map(withoutFileParts) : given
  return {
    ...rest,
    messages: isPlain ? messages.flatMap(withoutCalls) : messages,
    ...(streamOptions && stream_options !== undefined ? { stream_options } : {}),
    ...(!isPlain && tools !== undefined ? { tools } : {}),
    ...(!isPlain && tool_choice !== undefined ? { tool_choice } : {}),
  }
}

const isFilePart = (part: unknown): boolean =>
  typeof part === 'object' &&
  part !== null &&
  'type' in part &&
  /^(image_url|file|input_audio)$/.test(String(part.type))

const hasFiles = ({ messages }: ChatRequest): boolean =>
  messages.some(({ content }) => Array.isArray(content) && content.some(isFilePart))

const withoutFileParts = (message: ChatRequest['messages'][number]): ChatRequest['messages'][number] => {
  if (!Array.isArray(message.content)) return message
  return { ...message, content: message.content.map(part => (isFilePart(part) ? unseenFile : part)) }
}
const unseenFile = { type: 'text', text: '(You cannot see this file: say so where it matters.)' }

/** Calls and results of an earlier model are left out. */
const withoutCalls = (message: ChatRequest['messages'][number]): ChatRequest['messages'] => {
  if (message.role === 'tool') return []
  if (message.tool_calls === undefined) return [message]
  const { tool_calls, ...rest } = message
  return typeof rest.content === 'string' && rest.content !== '' ? [rest] : []
}

const withVersion = (url: string, version: string): string =>
  version === '' ? url : url.replace(/\/chat\/completions(?=\?|$)/, `${version}/chat/completions`)

/** Servers answer some errors with 200. */
const reportsError = (text: string): boolean => /^\s*\{\s*"error"\s*:/.test(text)

/** Repairs a completion that is not streamed. */
const whole = async (answer: Response): Promise<Response> => {
  const text = await answer.text()
  const repaired = repairCompletion(text)
  return new Response(repaired === undefined ? text : JSON.stringify(repaired), answer)
}

/** Repairs a stream of events. */
const repaired = ({ body, status, headers }: Response): Response =>
  new Response(body && repairEvents(body), { status, headers })

/** Returns an answer as a stream of events, also a whole completion. */
const streamed = async (answer: Response): Promise<Response> => {
  const { status, headers } = answer
  if (!hasType(answer, 'application/json')) return repaired(answer)
  const text = await answer.text()
  const events = completionEvents(text)
  if (events === undefined) return new Response(text, { status: reportsError(text) ? 400 : status, headers })
  return new Response(events, { status, headers: { 'content-type': 'text/event-stream' } })
}
