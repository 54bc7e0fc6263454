import type { EarlierMessage } from '@sibyl/plugin'
import { maxMessageCharacters } from '@sibyl/protocol'
import { openaiErrors } from '../errors/openai-errors.ts'
import { type MessageContent, textOfContent } from './message-text.ts'

/** Most bytes of a body: a client sends the whole conversation each time. */
export const maxBodyBytes = 4_000_000

/** A message of either API: chat completions or responses. */
export interface ClientMessage {
  readonly role: string
  readonly content?: MessageContent | null | undefined
}

/** A conversation as a client sends it. */
export interface Conversation {
  /** Texts of the `system` and `developer` messages. */
  readonly instructions: string
  readonly history: readonly EarlierMessage[]
  /** The user's new message. */
  readonly text: string
}

/**
 * Reads a conversation that ends with a message of the user.
 *
 * @throws `openai_message_missing`, `openai_not_supported`
 */
export const readConversation = (messages: readonly ClientMessage[]): Conversation => {
  const instructions: string[] = []
  const said: EarlierMessage[] = []
  for (const { role, content } of messages) {
    const text = textOfContent(content)
    if (text === undefined) throw openaiErrors.openai_not_supported({ what: 'A message with parts other than text' })
    if (role === 'system' || role === 'developer') instructions.push(text)
    else if (role === 'user' || role === 'assistant') said.push({ role, text })
    else throw openaiErrors.openai_not_supported({ what: `A message of the role '${role.slice(0, 40)}'` })
  }
  const last = said.at(-1)
  if (last?.role !== 'user' || last.text.trim() === '') throw openaiErrors.openai_message_missing()
  if (last.text.length > maxMessageCharacters) {
    throw openaiErrors.openai_not_supported({ what: `A message of more than ${maxMessageCharacters} characters` })
  }
  return {
    instructions: instructions.join('\n\n').trim(),
    history: said.slice(0, -1).filter(({ text }) => text.trim() !== ''),
    text: last.text,
  }
}

/** Returns the note that hands a client's instructions to the model. */
export const instructionsNote = (instructions: string): string | undefined =>
  instructions === '' ? undefined : `The client application instructs you:\n${instructions}`
