import type { JsonObject, JsonValue } from '@sibyl/protocol'

/** A tool as its server describes it; cut to size, otherwise as it came. */
export interface McpTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  /** Claims of the server, which may be false. */
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
  /** Images, audio and other binary data are described by type, without content. */
  | { readonly type: 'binary'; readonly mimeType: string; readonly bytes: number }

/** The outcome of a call. */
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
  /** The schema of the answer: an object of flat members. Undefined if it redirects the user to a page. */
  readonly schema?: JsonObject
  /** The page for the user; never opened automatically. */
  readonly url?: string
  /** Answers, once; the call goes on. Rejects when the question is no longer open. */
  answer(
    reply: { readonly action: 'accept'; readonly content?: JsonObject } | { readonly action: 'decline' | 'cancel' },
    options?: McpCallOptions,
  ): Promise<McpOutcome>
}

export interface McpCallOptions {
  /** Cancels the call, at the server too. */
  readonly signal?: AbortSignal
  /** Called with the progress of the server, at most ten times per second. */
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

/** The state of a connection. `degraded`: it was lost or rejected, and is retried. */
export type McpState = 'pending' | 'ready' | 'degraded'

/** A connection to one server, which reconnects automatically. */
export interface McpConnection {
  readonly state: McpState
  /** Why it is degraded, in a sentence without addresses and secrets. */
  readonly reason: string | undefined
  /** The name that the server reports, once known. */
  readonly server: { readonly name: string; readonly version: string; readonly instructions?: string } | undefined
  /** The features of the server besides tools. */
  readonly offers: { readonly resources: boolean; readonly prompts: boolean }
  /** The tools as they were last listed, also while it is degraded; each name once. */
  readonly tools: readonly McpTool[]
  /** The tools of the server that are not in `tools`, with the reasons. */
  readonly leftOut: readonly { readonly name: string; readonly fault: string }[]
  /** The number of open calls, including those that wait for a user. */
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
  /** Called at every change of state or tools; returns a function that removes the listener. */
  onChange(listener: () => void): () => void
  /** Ends it: calls fail, a program of this computer is ended (SIGTERM, then SIGKILL). May be called again. */
  close(): Promise<void>
}

/** Log events of a connection; never contents of calls, headers or addresses with secrets. */
export interface McpLog {
  debug(message: string, facts?: Readonly<Record<string, JsonValue | undefined>>): void
  info(message: string, facts?: Readonly<Record<string, JsonValue | undefined>>): void
  warn(message: string, facts?: Readonly<Record<string, JsonValue | undefined>>): void
}
