import type { ClientTool, EarlierMessage } from '@sibyl/plugin/host'
import { chatLimits, identifier, type JsonValue } from '@sibyl/protocol'
import { agUiErrors } from '../errors/ag-ui-errors.ts'
import { answerIdOf } from '../events/message-ids.ts'
import { type MessageContent, readContent, textOf } from './message-content.ts'
import type { ResumeEntry, RunAgentInput } from './run-agent-input.ts'

/** The result of a call that the client ran. */
export interface ClientResult {
  readonly toolCallId: string
  readonly result: { readonly output: string } | { readonly error: string }
}

/** A message of the user. */
export interface NewMessage extends MessageContent {
  /** Its id in the session. */
  readonly id: string
}

/** A run as the client asks for it. */
export interface Run {
  /** The user's new message; undefined if the run brings none, or answers interrupts. */
  readonly message: NewMessage | undefined
  /** The stored message up to which the client holds the conversation: its last answer, or the message before the new one. */
  readonly holdsUpTo: string | undefined
  /** Earlier messages, for a thread that is new to the oracle. */
  readonly history: readonly EarlierMessage[]
  readonly note: string | undefined
  readonly clientTools: readonly ClientTool[]
  readonly resume: readonly ResumeEntry[]
  /** Results of tools, also of those that the oracle ran. */
  readonly results: readonly ClientResult[]
}

/**
 * Reads the body of a run.
 *
 * @throws `ag_ui_content_unsupported`, `ag_ui_message_too_long`
 */
export const readRun = (input: RunAgentInput): Run => {
  const { messages, tools, resume } = input
  const last = messages.at(-1)
  const isNew = last?.role === 'user'
  const content = isNew ? readContent(last.content) : undefined
  if (content && content.text.length > chatLimits.messageCharacters) {
    throw agUiErrors.ag_ui_message_too_long({ most: chatLimits.messageCharacters })
  }
  const isEmpty = content?.text.trim() === '' && content.files.length === 0
  const isAnswer = resume?.some(({ status }) => status === 'resolved') ?? false
  return {
    message: content && !isEmpty && !isAnswer ? { ...content, id: idOf(input) } : undefined,
    holdsUpTo: holdsUpTo(messages.slice(0, -1)),
    history: historyOf(isNew ? messages.slice(0, -1) : messages),
    note: applicationNote(input),
    clientTools: (tools ?? []).map(({ name, description, parameters }) => ({
      name,
      description: description ?? '',
      inputSchema: { ...(parameters as Readonly<Record<string, JsonValue>>), type: 'object' },
    })),
    resume: resume ?? [],
    results: messages.flatMap(({ role, toolCallId, content, error }): ClientResult[] => {
      if (role !== 'tool' || !toolCallId) return []
      return [{ toolCallId, result: error ? { error } : { output: textOf(content) } }]
    }),
  }
}

/** Returns the id of the last message, as the oracle stores it. */
const idOf = ({ runId, messages }: RunAgentInput): string =>
  identifier.safeParse(messages.at(-1)?.id).data ?? `ag-ui:${runId}`

const holdsUpTo = (messages: RunAgentInput['messages']): string | undefined => {
  const last = messages.findLast(({ role }) => role === 'assistant' || role === 'user')
  return last?.role === 'assistant' ? answerIdOf(last.id) : last?.id
}

const historyOf = (messages: RunAgentInput['messages']): EarlierMessage[] =>
  messages.flatMap(({ role, content }): EarlierMessage[] => {
    if (role !== 'user' && role !== 'assistant') return []
    const text = textOf(content)
    return text.trim() === '' ? [] : [{ role, text }]
  })

/** Returns the note that hands the client's instructions, context and state to the model; undefined without any. */
const applicationNote = ({ messages, context, state }: RunAgentInput): string | undefined => {
  const instructions = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => textOf(content).trim())
    .filter(text => text !== '')
  const facts = (context ?? []).map(({ description, value }) => `- ${description}: ${value}`)
  const shared = sharedState(state)
  const sections = [
    ...(instructions.length > 0 ? [`The client application instructs you:\n${instructions.join('\n\n')}`] : []),
    ...(facts.length > 0 ? [`Context from the client application:\n${facts.join('\n')}`] : []),
    ...(shared === undefined ? [] : [`State of the client application, as JSON:\n${shared}`]),
  ]
  return sections.length > 0 ? sections.join('\n\n') : undefined
}

/** Returns the client's own state as JSON, without what the oracle added; undefined if it is empty. */
const sharedState = (state: unknown): string | undefined => {
  if (typeof state !== 'object' || state === null) return undefined
  const { sibyl: _, ...own } = state as Readonly<Record<string, unknown>>
  return Object.keys(own).length > 0 ? JSON.stringify(own) : undefined
}
