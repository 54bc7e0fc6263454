import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { againNote, attachmentHeading, postNote, turnNoteHeading } from '../text/turn-note.ts'

/** A tool call of a turn, with its result once it has one. */
export interface PastCall {
  readonly toolCallId: string
  readonly tool: string
  readonly input: unknown
  result?: LanguageModelV4ToolResultOutput
}

/** A message of the user and what followed. */
export interface PastTurn {
  /** The person's own words. */
  readonly user: string
  readonly calls: PastCall[]
  /** The answer of the model so far. */
  answer: string
}

/**
 * Splits a prompt into turns, oldest first; messages before the first user message, and posts of the oracle, are
 * omitted.
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

const notSent = [turnNoteHeading, attachmentHeading]

const personText = ({ content }: Extract<LanguageModelV4Message, { role: 'user' }>): string =>
  content
    .flatMap(part =>
      part.type === 'text' && !notSent.some(heading => part.text.startsWith(heading)) ? [part.text] : [],
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
