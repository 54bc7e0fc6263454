import type { EarlierMessage } from '@sibyl/plugin/host'
import { chatLimits } from '@sibyl/protocol'
import { openaiErrors } from '../errors/openai-errors.ts'
import { type MessageContent, type MessageFile, readContent, textOf } from './message-content.ts'

/** Most bytes of a body without files: a client sends the whole conversation each time. */
export const maxBodyBytes = 4_000_000

/** A message of either API: chat completions or responses. */
export interface ClientMessage {
  readonly role: string
  readonly content?: MessageContent | null | undefined
  /** Of a tool: the call of its result. */
  readonly tool_call_id?: string | null | undefined
}

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
  const common = { instructions: instructions.join('\n\n').trim(), results }
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

const hasText = ({ text }: EarlierMessage): boolean => text.trim() !== ''

/** Returns the note that hands a client's instructions to the model. */
export const instructionsNote = (instructions: string): string | undefined =>
  instructions === '' ? undefined : `The client application instructs you:\n${instructions}`
