import type { JsonObject } from '@sibyl/protocol'
import type { McpContent, McpPrompt, McpResource, McpTool } from '../connection/mcp-connection.ts'
import type { McpError } from '../errors/mcp-errors.ts'

/** What the server asks a person, as it came. */
export interface AskedQuestion {
  readonly params: unknown
  /** Ends when the server withdraws the question or the connection is lost. */
  readonly signal: AbortSignal
}

/** What a person answered, in the words of the protocol. */
export interface QuestionReply {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: JsonObject
}

/** How one request of a call was answered. */
export type CallAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The server wants answers first; the call is then sent anew with them. */
  | { readonly kind: 'input'; readonly requests: Readonly<Record<string, unknown>>; readonly state?: string }

/** What a request of a call takes along. */
export interface CallRequest {
  readonly tool: McpTool
  readonly args: JsonObject
  /** What was answered to what the server wanted first. */
  readonly input?: { readonly responses: Readonly<Record<string, QuestionReply>>; readonly state?: string }
  readonly signal: AbortSignal
  readonly onProgress: (progress: { done: number; total?: number; message?: string }) => void
}

/** What a server has to offer, as it was listed. */
export interface ListedTools {
  readonly tools: readonly McpTool[]
  readonly leftOut: readonly { readonly name: string; readonly fault: string }[]
}

/** One connection, from its first byte to its last; all that throws throws an error of this package. */
export interface Link {
  readonly server: { readonly name: string; readonly version: string; readonly instructions?: string }
  readonly offers: { readonly resources: boolean; readonly prompts: boolean }
  /** Resolves once it is lost, with the reason; never rejects. */
  readonly lost: Promise<McpError>
  /** Throws the reason of the signal. */
  listTools(signal: AbortSignal): Promise<ListedTools>
  call(request: CallRequest): Promise<CallAnswer>
  resources(signal?: AbortSignal): Promise<readonly McpResource[]>
  resourceTemplates(signal?: AbortSignal): Promise<readonly McpResource[]>
  read(uri: string, signal?: AbortSignal): Promise<readonly McpContent[]>
  prompts(signal?: AbortSignal): Promise<readonly McpPrompt[]>
  prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<readonly { readonly role: 'user' | 'assistant'; readonly content: McpContent }[]>
  /** Ends it with this reason, or with none. */
  end(reason?: McpError): Promise<void>
}

/** The server was reached and wants a new beginning: it did nothing of what it was asked. */
export class StaleSession extends Error {}

/** Why a call is aborted whose time is over; the server is told so. */
export const tookTooLong = 'The call took too long.'
