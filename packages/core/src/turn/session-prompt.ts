import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { estimateTokens, turnNoteHeading } from '@sibyl/models'
import { type Actor, silentLogger } from '@sibyl/plugin'
import type { JsonValue, PromptMessage, PromptPart, SessionPrompt } from '@sibyl/protocol'
import { jsonCopy } from '../database/stored-json.ts'
import { type StoredMessage, textOf } from '../sessions/stored-message.ts'
import type { ClaimDependencies } from './claim/claim-dependencies.ts'
import { firstCall, sentTools } from './first-step.ts'
import { trimHistory } from './loop/prompt.ts'
import { gatherTools } from './loop/run-turn.ts'
import { RunningTurn } from './store/running-turn.ts'

/** The time limit of the turn that stops at its call of the model, in milliseconds. */
const limitMs = 10_000

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
 * Computes again what the model is sent for a message of a session: runs its turn up to the call of the model, which does not
 * take place, with the configuration, the rights of the caller and the capabilities of now. No hook is asked and nothing is
 * stored.
 *
 * @returns undefined when the session, or a user message of it, does not exist, or the turn does not get as far as that
 */
export const sessionPrompt = async (
  given: ClaimDependencies,
  { actor, sessionId, messageId }: PromptRequest,
): Promise<SessionPrompt | undefined> => {
  const { sessions, modelName, now } = given
  const session = await sessions.find(actor.did, sessionId)
  const all = session ? await sessions.messages(actor.did, sessionId) : []
  const messages = upToQuestion(all, messageId)
  const question = messages.at(-1)
  if (!session || !question) return undefined
  const dependencies: ClaimDependencies = {
    ...given,
    log: silentLogger,
    sessions: { ...sessions, messages: async () => [...messages] },
  }
  const content = { actor, sessionId, text: textOf(question.parts), channel: 'chat' } as const
  const running = new RunningTurn(
    { id: 'turn_inspection', ...content, answerId: 'msg_inspection', startedAt: now() },
    { ...content, whenBusy: 'refuse', approvals: 'ask', awaited: true },
  )
  running.claimed({ createdSession: false, loadedPlugins: session.loadedPlugins, approvedTools: [] })
  const limit = setTimeout(() => running.cut('time_limit'), limitMs)
  try {
    const sent = await firstCall(running, dependencies)
    if (!sent) return undefined
    const owners = new Map(
      (await gatherTools(running, dependencies)).offered().map(({ name, origin }) => [name, origin.capability]),
    )
    const tools = sentTools(sent.tools ?? [], owners)
    const system = sent.prompt.flatMap(message => (message.role === 'system' ? [message.content] : [])).join('\n\n')
    const prompt = sent.prompt.flatMap(messageOf)
    return {
      messageId: question.id,
      model: modelName,
      system,
      systemTokens: estimateTokens(system),
      messages: prompt,
      messageTokens: prompt.reduce((sum, { tokens }) => sum + tokens, 0),
      omittedMessages: trimHistory(messages, given.limits.historyTokens).leftOut,
      tools: tools.map(tool => ({ ...tool, inputSchema: jsonCopy(tool.inputSchema) })),
      toolTokens: tools.reduce((sum, { tokens }) => sum + tokens, 0),
    }
  } finally {
    clearTimeout(limit)
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
