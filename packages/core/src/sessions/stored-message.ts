import { type JsonValue, type MessageMetadata, messageMetadata } from '@sibyl/protocol'
import { readJson } from '../database/stored-json.ts'

/** A part of a stored message, in the UI message form of the AI SDK. */
export interface MessagePart {
  type: string
  [key: string]: unknown
}

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

/** Returns whether a user attached files to a message. */
export const hasFiles = ({ role, parts }: StoredMessage): boolean =>
  role === 'user' && parts.some(({ type }) => type === 'file')

/** The part of a tool call. */
export interface ToolPart extends MessagePart {
  toolCallId: string
  state: string
  input?: unknown
  output?: unknown
  errorText?: string
  /** `requestReason` is the question, while it waits. */
  approval?: { id: string; requestReason?: string; approved?: boolean; reason?: string }
}

/** Returns whether a part is that of a tool call. */
export const isToolPart = (part: MessagePart): part is ToolPart =>
  (part.type === 'dynamic-tool' || part.type.startsWith('tool-')) && typeof part.toolCallId === 'string'

/** Returns the name of the called tool. */
export const toolNameOf = (part: ToolPart): string =>
  part.type === 'dynamic-tool' ? String(part.toolName) : part.type.slice('tool-'.length)

/** Returns whether a tool call has its result, error or rejection. */
export const isSettled = (part: ToolPart): boolean =>
  part.state === 'output-available' || part.state === 'output-error' || part.state === 'output-denied'

export const textOf = (parts: readonly MessagePart[]): string =>
  parts.flatMap(part => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : [])).join('\n')

export const readMetadata = (text: string): MessageMetadata => {
  const parsed = messageMetadata.safeParse(readJson<JsonValue>(text, {}))
  return parsed.success ? parsed.data : {}
}
