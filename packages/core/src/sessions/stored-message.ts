import { type JsonValue, type MessageMetadata, messageMetadata } from '@sibyl/protocol'
import { readJson } from '../database/stored-json.ts'

/** A part of a kept message, in the AI SDK's UI message form. */
export interface MessagePart {
  type: string
  [key: string]: unknown
}

/** A message as it is kept. */
export interface StoredMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  parts: MessagePart[]
  metadata: MessageMetadata
  /** Empty for posts of the oracle, which have no turn. */
  readonly turnId: string
  readonly createdAt: number
}

/** Whether a message is a post of the oracle, without a turn. */
export const isPost = ({ role, turnId }: StoredMessage): boolean => role === 'assistant' && turnId === ''

/** A part that stands for a tool call. */
export interface ToolPart extends MessagePart {
  toolCallId: string
  state: string
  input?: unknown
  output?: unknown
  errorText?: string
  approval?: { id: string; approved?: boolean; reason?: string }
}

/** Tells a tool call's part from others. */
export const isToolPart = (part: MessagePart): part is ToolPart =>
  (part.type === 'dynamic-tool' || part.type.startsWith('tool-')) && typeof part.toolCallId === 'string'

/** The name of the tool that a part calls. */
export const toolNameOf = (part: ToolPart): string =>
  part.type === 'dynamic-tool' ? String(part.toolName) : part.type.slice('tool-'.length)

/** Whether a tool call's part has its result, error or refusal. */
export const isSettled = (part: ToolPart): boolean =>
  part.state === 'output-available' || part.state === 'output-error' || part.state === 'output-denied'

/** The text of a message. */
export const textOf = (parts: readonly MessagePart[]): string =>
  parts.flatMap(part => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : [])).join('\n')

/** Reads stored metadata. */
export const readMetadata = (text: string): MessageMetadata => {
  const parsed = messageMetadata.safeParse(readJson<JsonValue>(text, {}))
  return parsed.success ? parsed.data : {}
}
