import type { ClientTool, EarlierMessage } from '@sibyl/plugin'
import { type JsonValue, maxMessageCharacters } from '@sibyl/protocol'
import { agUiErrors } from '../errors/ag-ui-errors.ts'
import { applicationNote } from './application-note.ts'
import { type MessageContent, readContent, textOf } from './message-content.ts'
import type { ResumeEntry, RunAgentInput } from './run-agent-input.ts'

/** The result of a call that the client ran. */
export interface ClientResult {
  readonly toolCallId: string
  readonly result: { readonly output: string } | { readonly error: string }
}

/** A run as the client asks for it. */
export interface Run {
  /** The user's new message; undefined if the run brings none, or answers interrupts. */
  readonly message: MessageContent | undefined
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
  if (content && content.text.length > maxMessageCharacters) {
    throw agUiErrors.ag_ui_message_too_long({ most: maxMessageCharacters })
  }
  const isEmpty = content?.text.trim() === '' && content.files.length === 0
  const isAnswer = resume?.some(({ status }) => status === 'resolved') ?? false
  return {
    message: isEmpty || isAnswer ? undefined : content,
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

const historyOf = (messages: RunAgentInput['messages']): EarlierMessage[] =>
  messages.flatMap(({ role, content }): EarlierMessage[] => {
    if (role !== 'user' && role !== 'assistant') return []
    const text = textOf(content)
    return text.trim() === '' ? [] : [{ role, text }]
  })
