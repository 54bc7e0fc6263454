import { messageParts } from '@sibyl/protocol'
import type { DynamicToolUIPart, ToolUIPart } from 'ai'
import type { z } from 'zod'
import type { ChatMessage } from './chat-message.ts'

/** The part of a tool call. */
export type ToolPart = ToolUIPart | DynamicToolUIPart

/** Returns whether a part is that of a tool call. */
export const isToolPart = (part: ChatMessage['parts'][number]): part is ToolPart =>
  part.type === 'dynamic-tool' || part.type.startsWith('tool-')

/** Returns the name of the called tool. */
export const toolNameOf = (part: ToolPart): string =>
  part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)

export const textOf = ({ parts }: ChatMessage): string =>
  parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')

/** A question that a running call asked. */
export type QuestionData = z.infer<typeof messageParts.question>

/** Returns the question that a tool asked in the midst of its work. */
export const questionOf = ({ parts }: ChatMessage, approvalId: string): QuestionData | undefined =>
  parts
    .map(part => (part.type === 'data-question' ? messageParts.question.safeParse(part.data).data : undefined))
    .find(data => data?.approvalId === approvalId)
