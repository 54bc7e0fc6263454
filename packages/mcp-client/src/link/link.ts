import type { JsonObject } from '@sibyl/protocol'
import type { McpConnection, McpTool } from '../connection/mcp-connection.ts'
import type { McpError } from '../errors/mcp-errors.ts'

/** The question of a server to a user, unparsed. */
export interface AskedQuestion {
  readonly params: unknown
  /** Ends when the server withdraws the question or the connection is lost. */
  readonly signal: AbortSignal
}

/** The answer of a user, in the terms of the protocol. */
export interface QuestionReply {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: JsonObject
}

/** The response to one request of a call. */
export type CallAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The server requires answers first; the call is then sent again with them. */
  | { readonly kind: 'input'; readonly requests: Readonly<Record<string, unknown>>; readonly state?: string }

export interface CallRequest {
  readonly tool: McpTool
  readonly args: JsonObject
  /** The answers that the server required. */
  readonly input?: { readonly responses: Readonly<Record<string, QuestionReply>>; readonly state?: string }
  readonly signal: AbortSignal
  readonly onProgress: (progress: { done: number; total?: number; message?: string }) => void
}

/** The listed features of a server. */
export interface ListedTools {
  readonly tools: readonly McpTool[]
  readonly leftOut: readonly { readonly name: string; readonly fault: string }[]
}

/** One connection, from its first byte to its last; all that throws throws an error of this package. */
export interface Link extends Pick<McpConnection, 'resources' | 'resourceTemplates' | 'read' | 'prompts' | 'prompt'> {
  readonly server: { readonly name: string; readonly version: string; readonly instructions?: string }
  readonly offers: { readonly resources: boolean; readonly prompts: boolean }
  /** Resolves once it is lost, with the reason; never rejects. */
  readonly lost: Promise<McpError>
  /** Throws the reason of the signal. */
  listTools(signal: AbortSignal): Promise<ListedTools>
  call(request: CallRequest): Promise<CallAnswer>
  /** Ends it with this reason, or with none. */
  end(reason?: McpError): Promise<void>
}

/** The server was reached and wants a new beginning: it did nothing of what it was asked. */
export class StaleSession extends Error {}

/** The reason of the abort of a call that timed out; it is sent to the server. */
export const tookTooLong = 'The call took too long.'
