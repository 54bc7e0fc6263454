/** A tool call that the fake server makes. */
export interface FakeToolCall {
  readonly name: string
  /** An object is sent as JSON; a string as it is, also when it is no JSON. */
  readonly arguments: Readonly<Record<string, unknown>> | string
}

/** What the fake server answers: text, tool calls or both, streamed word by word where the request asks for a stream. */
export interface FakeAnswer {
  readonly text?: string
  readonly toolCalls?: readonly FakeToolCall[]
  /** Why it ends, in the words of chat completions. @default 'tool_calls' after calls, else 'stop' */
  readonly finish?: 'stop' | 'length' | 'content_filter' | 'tool_calls'
  /** Tokens to report. @default estimated at four characters each */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number; readonly cachedInputTokens?: number }
  /** Milliseconds before the first byte. @default 0 */
  readonly delayMs?: number
  /** Milliseconds before each event of a stream; 0 sends the whole stream in one write. @default 0 */
  readonly eventDelayMs?: number
}

/** An HTTP failure in the form that OpenAI gives it, or with a body of its own. */
export interface FakeFailure {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly error?: { readonly message: string; readonly type?: string; readonly code?: string }
  /** Sent as it is instead of `error`, such as a proxy's HTML page. */
  readonly body?: string
  /** Milliseconds before the answer. @default 0 */
  readonly delayMs?: number
}

export type FakeReply = FakeAnswer | FakeFailure

/** A part of the ids of an answer and its tool calls that the server makes unique in each response. */
export const callIdPlaceholder = '0'.repeat(24)

/** The id of an answer's tool call before it is made unique. */
export const placeholderCallId = (index: number): string => `call_${callIdPlaceholder}${index}`

/** A tool call's arguments as they go over the wire. */
export const argumentsText = (call: FakeToolCall): string =>
  typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)

/** A tool call's arguments in pieces of at most eight characters, as models stream them. */
export const argumentsDeltas = (call: FakeToolCall): readonly string[] => argumentsText(call).match(/.{1,8}/gsu) ?? []
