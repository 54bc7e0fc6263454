import type { JsonObject, JsonValue } from '@sibyl/protocol'

/** A tool as its server describes it; cut to size, otherwise as it came. */
export interface McpTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  /** What the server says of itself, and may be untrue. */
  readonly annotations: {
    readonly readOnly: boolean
    readonly destructive: boolean
    readonly idempotent: boolean
    readonly openWorld: boolean
  }
}

/** A part of a result. */
export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'resource'; readonly uri: string; readonly mimeType?: string; readonly text?: string }
  | { readonly type: 'link'; readonly uri: string; readonly name: string; readonly description?: string }
  /** Of images, sounds and other bytes it is told what they are, not what is in them. */
  | { readonly type: 'binary'; readonly mimeType: string; readonly bytes: number }

/** How a call came out. */
export type McpOutcome =
  | {
      readonly kind: 'result'
      /** The server says that the tool failed; the content says why. */
      readonly isError: boolean
      readonly content: readonly McpContent[]
      readonly structured?: JsonObject
      /** Whether the result was larger than what is kept of it. */
      readonly isCut: boolean
    }
  | McpQuestion

/** The server asks a person in the middle of a call (elicitation). */
export interface McpQuestion {
  readonly kind: 'question'
  readonly text: string
  /** What it asks for: an object of flat members. Undefined where it sends the person to a page. */
  readonly schema?: JsonObject
  /** The page it sends the person to; never opened by itself. */
  readonly url?: string
  /** Answers, once; the call goes on. Rejects when the question is no longer open. */
  answer(
    reply: { readonly action: 'accept'; readonly content?: JsonObject } | { readonly action: 'decline' | 'cancel' },
    options?: McpCallOptions,
  ): Promise<McpOutcome>
}

/** What goes with a call. */
export interface McpCallOptions {
  /** Cancels the call, at the server too. */
  readonly signal?: AbortSignal
  /** Told of the server's progress, at most ten times a second. */
  readonly onProgress?: (progress: {
    readonly done: number
    readonly total?: number
    readonly message?: string
  }) => void
}

/** Something that can be read. */
export interface McpResource {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType?: string
}

/** A text that the server offers to put into a conversation. */
export interface McpPrompt {
  readonly name: string
  readonly description?: string
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[]
}

/** What a connection is in. `degraded`: it was lost or refused, and is tried again. */
export type McpState = 'pending' | 'ready' | 'degraded'

/** A connection to one server, which comes back by itself. */
export interface McpConnection {
  readonly state: McpState
  /** Why it is degraded, in a sentence without addresses and secrets. */
  readonly reason: string | undefined
  /** What the server calls itself, once it is known. */
  readonly server: { readonly name: string; readonly version: string; readonly instructions?: string } | undefined
  /** What the server can do beside tools. */
  readonly offers: { readonly resources: boolean; readonly prompts: boolean }
  /** The tools as they were last listed, also while it is degraded; each name once. */
  readonly tools: readonly McpTool[]
  /** What of the server's list is not in `tools`, and why. */
  readonly leftOut: readonly { readonly name: string; readonly fault: string }[]
  /** How many calls are open, those that wait for a person among them. */
  readonly openCalls: number
  /** Resolves once it is ready; rejects with `McpUnavailable` when it is degraded, and when the signal aborts. */
  ready(signal?: AbortSignal): Promise<void>
  /** Throws `McpUnavailable`, `McpCallFailed`, `McpTimeout`, and the reason of the signal. */
  call(tool: string, args: JsonObject, options?: McpCallOptions): Promise<McpOutcome>
  resources(signal?: AbortSignal): Promise<readonly McpResource[]>
  /** Templates of addresses, as `uri` (RFC 6570). */
  resourceTemplates(signal?: AbortSignal): Promise<readonly McpResource[]>
  read(uri: string, signal?: AbortSignal): Promise<readonly McpContent[]>
  prompts(signal?: AbortSignal): Promise<readonly McpPrompt[]>
  prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<readonly { readonly role: 'user' | 'assistant'; readonly content: McpContent }[]>
  /** Told of every change of state or tools; gives back what ends that. */
  onChange(listener: () => void): () => void
  /** Ends it: calls fail, a program of this computer is ended (SIGTERM, then SIGKILL). May be called again. */
  close(): Promise<void>
}

/** What a connection tells its owner for the log; never contents of calls, headers or addresses with secrets. */
export interface McpLog {
  debug(message: string, facts?: Readonly<Record<string, JsonValue | undefined>>): void
  info(message: string, facts?: Readonly<Record<string, JsonValue | undefined>>): void
  warn(message: string, facts?: Readonly<Record<string, JsonValue | undefined>>): void
}
