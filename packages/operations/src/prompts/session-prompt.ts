import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { type CorePorts, jsonCopy, type StoredMessage } from '@sibyl/core/ports'
import { estimateTokens, turnNoteHeading } from '@sibyl/models'
import type { Actor } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import type { PromptMessage, PromptPart, SessionPrompt } from './session-prompt-record.ts'

/** The longest text of a part, in characters. */
const longestText = 40_000

/** The prompt to compute again. */
export interface PromptRequest {
  readonly actor: Actor
  readonly sessionId: string
  /** A message of the session: its prompt, or that of the user message before it. @default the last user message */
  readonly messageId?: string | undefined
}

/**
 * Computes again what the model is sent for a message of a session.
 *
 * @returns undefined when the session, or a user message of it, does not exist, or its turn does not get as far as the model
 */
export const sessionPrompt = async (
  { sessions, sessionCall }: Pick<CorePorts, 'sessions' | 'sessionCall'>,
  { actor, sessionId, messageId }: PromptRequest,
): Promise<SessionPrompt | undefined> => {
  const session = await sessions.find(actor.did, sessionId)
  const all = session ? await sessions.messages(actor.did, sessionId) : []
  const messages = upToQuestion(all, messageId)
  const question = messages.at(-1)
  if (!session || !question) return undefined
  const { loadedPlugins } = session
  const call = await sessionCall({ actor, sessionId, loadedPlugins, messages, question })
  if (!call) return undefined
  const system = call.prompt.flatMap(message => (message.role === 'system' ? [message.content] : [])).join('\n\n')
  const prompt = call.prompt.flatMap(messageOf)
  return {
    messageId: question.id,
    model: call.model,
    system,
    systemTokens: estimateTokens(system),
    messages: prompt,
    messageTokens: prompt.reduce((sum, { tokens }) => sum + tokens, 0),
    omittedMessages: call.omittedMessages,
    tools: call.tools.map(tool => ({ ...tool, inputSchema: jsonCopy(tool.inputSchema) })),
    toolTokens: call.tools.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

/** Returns the messages up to the question that a message belongs to. */
const upToQuestion = (messages: readonly StoredMessage[], messageId: string | undefined): readonly StoredMessage[] => {
  const named = messageId === undefined ? messages.length - 1 : messages.findIndex(({ id }) => id === messageId)
  const until = messages.slice(0, named + 1)
  return until.slice(0, until.findLastIndex(({ role }) => role === 'user') + 1)
}

const messageOf = (message: LanguageModelV4Message): PromptMessage[] => {
  if (message.role === 'system') return []
  const parts = message.content.map((part): PromptPart => {
    switch (part.type) {
      case 'text':
        return { type: part.text.startsWith(turnNoteHeading) ? 'note' : 'text', ...textPart(part.text) }
      case 'reasoning':
        return { type: 'reasoning', ...textPart(part.text) }
      case 'tool-call':
        return { type: 'tool-call', tool: part.toolName, toolCallId: part.toolCallId, ...jsonPart(part.input) }
      case 'tool-result':
        return { type: 'tool-result', tool: part.toolName, toolCallId: part.toolCallId, ...jsonPart(part.output) }
      case 'file':
        return { type: 'file', text: `${part.filename ?? 'file'}, ${part.mediaType}` }
      default:
        return { type: 'other', text: part.type }
    }
  })
  return [{ role: message.role, parts, tokens: estimateTokens(parts.map(({ text }) => text).join('')) }]
}

const textPart = (text: string) =>
  text.length > longestText ? { text: text.slice(0, longestText).toWellFormed(), isTruncated: true } : { text }

const jsonPart = (value: unknown) => textPart(JSON.stringify(value as JsonValue, undefined, 2) ?? 'null')
