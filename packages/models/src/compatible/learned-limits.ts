import { isObject } from '@sibyl/protocol'
import { plainText } from './plain-content.ts'

/** The body of `POST /chat/completions`, as far as it is changed. */
export interface ChatRequest {
  readonly model: string
  readonly stream?: boolean
  readonly stream_options?: unknown
  readonly response_format?: unknown
  readonly tools?: readonly unknown[]
  readonly tool_choice?: unknown
  readonly messages: readonly ChatRequestMessage[]
}

interface ChatRequestMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: unknown
}

/** A form of request that a server rejects, and what it gets instead. */
export interface Limit {
  /** The reason for the log, and what the operator can do. */
  readonly message: string
  /** The variable that the operator can set. */
  readonly variable?: string
  /** Statuses of the rejection. @default 400, 422, 501 */
  readonly statuses?: 'any'
  /** Whether it applies to every model of the server. */
  readonly ofServer?: true
  /** Returns whether a request has the form. */
  has(request: ChatRequest): boolean
  /** Returns whether the text of a rejection is about it. */
  rejects(text: string): boolean
  without(request: ChatRequest): ChatRequest
}

const rejectsTools =
  /(do(es)?n[o']?t|not) support (the )?(tool|function)|tools? (is|are) not supported|tool[ _]choice\W.*requires/i

/** Texts of servers whose model takes text alone; an error about one certain picture does not match. */
const rejectsFiles =
  /(image|vision|multi-?modal)[^.]{0,60}(not|n't|only) (be )?support|(not|n't|only) support[^.]{0,60}(image|vision|multi-?modal)|not a multi-?modal|no endpoints[^.]{0,60}image|unknown variant .{0,3}(image_url|file)|at most 0 image|missing data required for image|mmproj/i

/** Texts of servers whose chat template has only two roles, or counts others among those that alternate. */
const rejectsRoles =
  /system[^.]{0,30}(role|message|prompt|instruction)[^.]{0,40}(not|n't|un)[ -]?(be )?(support|allow|enabled)|(un|not )supported[^.]{0,20}role[^.]{0,10}system|(developer|system) instruction is not|only user(,| and) assistant|(invalid|unknown|unexpected)[^.]{0,30}role[^.]{0,20}\bsystem\b|roles must alternate/i

/** Texts of servers that take the content of a message as one text. */
const rejectsLists =
  /content[^.]{0,60}(must|should|needs?|has)( to)? be (a |of type )?(valid )?(plain )?(string|str)\b|content[^.]{0,40}(str(ing)? type|valid string)|expected (a )?(string|str)\b|cannot unmarshal array|(list|array|sequence)[^.]{0,40}(not|n't) support[^.]{0,40}content|content[^.]{0,60}(list|array|parts?)[^.]{0,30}not (supported|allowed)|content[^.]{0,60}not of type .string|can only concatenate str/i

const rejectsFormat =
  /response_?format|json_?schema|json_?object|json mode|structured output|guided|grammar|response mime type/i

/** The forms that servers of chat completions are known to reject, in the order in which an error is read. */
export const knownLimits: readonly Limit[] = [
  {
    message: 'the model does not see pictures: it gets their names. Set LLM_INPUTS=none, or LLM_MODEL to one that does',
    variable: 'LLM_INPUTS',
    statuses: 'any',
    has: ({ messages }) => messages.some(({ content }) => Array.isArray(content) && content.some(isFilePart)),
    rejects: text => rejectsFiles.test(text),
    without: request => ({ ...request, messages: request.messages.map(withoutFileParts) }),
  },
  {
    message: 'the model server rejects stream_options; tokens are estimated if it does not report them',
    ofServer: true,
    has: ({ stream_options }) => stream_options !== undefined,
    rejects: text => text.includes('stream_options'),
    without: ({ stream_options: _, ...request }) => request,
  },
  {
    message: 'the model does not support tools: it chats without them. Set LLM_MODEL to a model that does',
    variable: 'LLM_MODEL',
    has: ({ tools }) => tools !== undefined,
    rejects: text => rejectsTools.test(text),
    without: withoutTools,
  },
  {
    message: 'the model server rejects response_format; the schema of an answer is in the prompt alone',
    has: ({ response_format }) => response_format !== undefined,
    rejects: text => rejectsFormat.test(text),
    without: ({ response_format: _, ...request }) => request,
  },
  {
    message: 'the model has no system role: its instructions begin the message of the user',
    statuses: 'any',
    has: ({ messages }) => messages[0]?.role === 'system',
    rejects: text => rejectsRoles.test(text),
    without: withoutSystem,
  },
  {
    message: 'the model has no role for results of tools: it chats without them. Set LLM_MODEL to a model that does',
    variable: 'LLM_MODEL',
    statuses: 'any',
    has: ({ messages }) => messages.some(({ role }) => role === 'tool'),
    rejects: text => rejectsRoles.test(text),
    without: withoutTools,
  },
  {
    message: 'the model server takes the content of a message as one text; files are left out',
    has: ({ messages }) => messages.some(({ content }) => typeof content !== 'string'),
    rejects: text => rejectsLists.test(text),
    without: request => ({ ...request, messages: request.messages.map(withText) }),
  },
]

const isFilePart = (part: unknown): boolean =>
  isObject(part) && /^(image_url|file|input_audio|video_url)$/.test(String(part.type))

const withoutFileParts = (message: ChatRequestMessage): ChatRequestMessage => {
  if (!Array.isArray(message.content)) return message
  const parts = message.content.map(part => (isFilePart(part) ? unseenFile : part))
  return { ...message, content: plainText(parts) ?? parts }
}
const unseenFile = { type: 'text', text: '(You cannot see this file: say so where it matters.)' }

const withText = (message: ChatRequestMessage): ChatRequestMessage => {
  const { content } = withoutFileParts(message)
  return { ...message, content: typeof content === 'string' ? content : '' }
}

/** Calls and results of an earlier model are left out; the texts of one role that then follow each other are one. */
const withoutCalls = (message: ChatRequestMessage): readonly ChatRequestMessage[] => {
  if (message.role === 'tool') return []
  if (message.tool_calls === undefined) return [message]
  const { tool_calls: _, ...rest } = message
  return typeof rest.content === 'string' && rest.content !== '' ? [rest] : []
}

const joinTexts = (messages: ChatRequestMessage[], message: ChatRequestMessage): ChatRequestMessage[] => {
  const last = messages.at(-1)
  const isOne = last?.role === message.role && typeof last.content === 'string' && typeof message.content === 'string'
  return isOne
    ? [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${message.content}` }]
    : [...messages, message]
}

function withoutTools({ tools: _, tool_choice: __, ...request }: ChatRequest): ChatRequest {
  return { ...request, messages: request.messages.flatMap(withoutCalls).reduce<ChatRequestMessage[]>(joinTexts, []) }
}

function withoutSystem(request: ChatRequest): ChatRequest {
  const [system, first, ...more] = request.messages
  if (system?.role !== 'system') return request
  const text = String(system.content)
  if (first?.role !== 'user')
    return { ...request, messages: [{ role: 'user', content: text }, ...request.messages.slice(1)] }
  const content = Array.isArray(first.content)
    ? [{ type: 'text', text }, ...first.content]
    : `${text}\n\n${String(first.content)}`
  return { ...request, messages: [{ ...first, content }, ...more] }
}
