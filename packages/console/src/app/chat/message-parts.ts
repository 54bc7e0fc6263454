import type { QuestionData } from '@sibyl/protocol'
import type { DynamicToolUIPart, ToolUIPart } from 'ai'
import type { ChatMessage } from './chat-message.ts'

/** The part of a tool call. */
export type ToolPart = ToolUIPart | DynamicToolUIPart

/** Returns whether a part is that of a tool call. */
export const isToolPart = (part: ChatMessage['parts'][number]): part is ToolPart =>
  part.type === 'dynamic-tool' || part.type.startsWith('tool-')

/** Returns the name of the called tool. */
export const toolNameOf = (part: ToolPart): string =>
  part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)

/** Returns the text of a message. */
export const textOf = ({ parts }: ChatMessage): string =>
  parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')

/** Returns the question that a tool asked in the midst of its work. */
export const questionOf = ({ parts }: ChatMessage, approvalId: string): QuestionData | undefined => {
  const part = parts.find(
    one => one.type === 'data-question' && (one.data as Partial<QuestionData>).approvalId === approvalId,
  )
  return part && 'data' in part ? (part.data as QuestionData) : undefined
}
