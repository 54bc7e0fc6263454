import type { EarlierMessage } from '@sibyl/plugin/host'
import { chatLimits } from '@sibyl/protocol'
import { openaiErrors } from '../errors/openai-errors.ts'
import { hasOtherParts, type MessageContent, type MessageFile, readContent, textOf } from './message-content.ts'

/** Most bytes of a body without files: a client sends the whole conversation each time. */
export const maxBodyBytes = 4_000_000

/** A message of either API: chat completions or responses. */
export interface ClientMessage {
  readonly role: string
  readonly content?: MessageContent | null | undefined
  /** Of a tool: the call of its result. */
  readonly tool_call_id?: string | null | undefined
}

/** The beginning of an id that stands for the name of a tool, where a protocol has no ids of calls. */
export const byName = 'name:'

/** The result of a call that the client ran. */
export interface ToolResult {
  readonly toolCallId: string
  readonly output: string
}

/** A conversation as a client sends it. */
export interface Conversation {
  /** Texts of the `system` and `developer` messages. */
  readonly instructions: string
  readonly history: readonly EarlierMessage[]
  /** The user's new message; empty where the client brings results instead. */
  readonly text: string
  /** Files of the new message. */
  readonly files: readonly MessageFile[]
  /** Results at the end of the conversation, of calls that the client ran. */
  readonly results: readonly ToolResult[]
  /** Texts about what the oracle does not read. */
  readonly leftOut: readonly string[]
}

/**
 * Reads a conversation that ends with a message of the user, or with results of calls that the client ran. Of earlier
 * messages, the texts count.
 *
 * @throws `openai_message_missing`, `openai_not_supported`
 */
export const readConversation = (messages: readonly ClientMessage[]): Conversation => {
  const instructions: string[] = []
  const texts: EarlierMessage[] = []
  const results: ToolResult[] = []
  for (const { role, content, tool_call_id: toolCallId } of messages) {
    const text = textOf(content)
    if (role === 'system' || role === 'developer') instructions.push(text)
    else if (role === 'tool' && toolCallId) results.push({ toolCallId, output: text })
    else if (role === 'user' || role === 'assistant') {
      texts.push({ role, text })
      results.length = 0
    } else throw openaiErrors.openai_not_supported({ what: `A message of the role '${role.slice(0, 40)}'` })
  }
  const common = { instructions: instructions.join('\n\n').trim(), results, leftOut: leftOutOf(messages) }
  if (results.length > 0) return { ...common, history: texts.filter(hasText), text: '', files: [] }
  const last = texts.pop()
  const content = readContent(messages.findLast(({ role }) => role === 'user')?.content)
  if (last?.role !== 'user') throw openaiErrors.openai_message_missing()
  if (!content) {
    throw openaiErrors.openai_not_supported({ what: 'A message with parts other than text and files as data: URLs' })
  }
  if (content.text.trim() === '' && content.files.length === 0) throw openaiErrors.openai_message_missing()
  if (content.text.length > chatLimits.messageCharacters) {
    throw openaiErrors.openai_not_supported({
      what: `A message of more than ${chatLimits.messageCharacters} characters`,
    })
  }
  return { ...common, history: texts.filter(hasText), ...content }
}

/** The most earlier messages that a new session begins with. */
const maxHistory = 400

const leftOutOf = (messages: readonly ClientMessage[]): readonly string[] => {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const hasFiles = messages.some(({ content }, index) => index !== last && hasOtherParts(content))
  const earlier = messages.filter(({ role }) => role === 'user' || role === 'assistant').length - 1
  return [
    ...(hasFiles ? ['Of earlier messages, only the text is read; their files are not sent to the model again.'] : []),
    ...(earlier > maxHistory
      ? [`A new session begins with the last ${maxHistory} of ${earlier} earlier messages.`]
      : []),
  ]
}

const hasText = ({ text }: EarlierMessage): boolean => text.trim() !== ''

/** Returns the note that hands a client's instructions to the model. Throws `openai_not_supported` if they are too long. */
export const instructionsNote = (instructions: string): string | undefined => {
  const max = chatLimits.messageCharacters
  if (instructions.length > max) {
    throw openaiErrors.openai_not_supported({ what: `A system text of more than ${max} characters` })
  }
  return instructions === '' ? undefined : `The client application instructs you:\n${instructions}`
}

/**
 * Whether a conversation is a background request of Open WebUI, which wants a title, tags or follow-up questions for a chat:
 * no field names them, but they all begin and quote the chat like this.
 */
export const isBackgroundTask = ({ text, history }: Conversation): boolean =>
  history.length === 0 && text.startsWith('### Task:') && text.includes('<chat_history>')
