import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { againNote, attachmentHeading, postNote, turnNoteHeading } from '../text/turn-note.ts'

/** A tool call of a turn, with its result once it has one. */
export interface PastCall {
  readonly toolCallId: string
  readonly tool: string
  readonly input: unknown
  result?: LanguageModelV4ToolResultOutput
}

/** What a person said and what followed. */
export interface PastTurn {
  /** The person's own words. */
  readonly user: string
  readonly calls: PastCall[]
  /** What the model answered, as far as it did. */
  answer: string
}

/**
 * Cuts a prompt into turns, the oldest first; what stands before the first user message is left out, and what the model
 * said by itself.
 */
export const readConversation = (prompt: LanguageModelV4Prompt): readonly PastTurn[] => {
  const turns: PastTurn[] = []
  let isPost = false
  for (const message of prompt) {
    if (message.role === 'user') {
      const user = personText(message)
      isPost = user === postNote
      const before = turns.at(-1)
      if (user === againNote && before) before.answer = ''
      else if (!isPost) turns.push({ user, calls: [], answer: '' })
    }
    const turn = turns.at(-1)
    if (turn && !isPost) addTo(turn, message)
  }
  return turns
}

const notSaid = [turnNoteHeading, attachmentHeading]

const personText = ({ content }: Extract<LanguageModelV4Message, { role: 'user' }>): string =>
  content
    .flatMap(part =>
      part.type === 'text' && !notSaid.some(heading => part.text.startsWith(heading)) ? [part.text] : [],
    )
    .join('\n')

const addTo = (turn: PastTurn, message: LanguageModelV4Message) => {
  if (message.role !== 'assistant' && message.role !== 'tool') return
  for (const part of message.content) {
    if (part.type === 'text') turn.answer += part.text
    if (part.type === 'tool-call')
      turn.calls.push({ toolCallId: part.toolCallId, tool: part.toolName, input: part.input })
    if (part.type === 'tool-result') {
      const call = turn.calls.findLast(one => one.toolCallId === part.toolCallId)
      if (call) call.result = part.output
    }
  }
}
