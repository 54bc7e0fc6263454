import type { ChatEvent, JsonObject, JsonValue, Outcome, Usage } from '@sibyl/protocol'
import type { AnyTransaction } from '@sibyl/storage'
import type { ZodType } from 'zod'
import type { Actor } from '../actors/actor.ts'

/** The channel of a turn. */
export type Channel = 'chat' | 'ussd' | 'matrix' | 'sms' | 'task' | 'openai' | 'ag-ui' | 'a2a' | 'mcp'

/** A running turn: a message of an actor and its answer. */
export interface Turn {
  readonly id: string
  readonly actor: Actor
  /** The message of the user. */
  readonly text: string
  /** Aborts when the turn is stopped or exceeds its time limit. */
  readonly signal: AbortSignal
  readonly session: { readonly id: string; readonly loadedPlugins: readonly string[] }
  readonly channel: Channel
}

/** A stored turn. */
export interface TurnRecord {
  readonly id: string
  readonly actor: Actor
  readonly sessionId: string
  readonly text: string
  readonly channel: Channel
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

/** The reason why a turn may not start. Safe to show. */
export interface Refusal {
  readonly status: 402 | 403 | 404 | 409 | 429 | 503 | 507
  /** Stable, snake_case. */
  readonly code: string
  readonly detail: string
  readonly retryAfterSeconds?: number
}

/** The end of a turn, for `after` hooks. */
export interface TurnEnd {
  readonly outcome: Outcome
  readonly usage: Usage
  /** The name of the model at its provider: `gpt-5-mini`, `offline`; `none` for a turn that is a tool call of a client. */
  readonly model: string
  /** The number of runs of each tool, by name, without rejected calls. */
  readonly tools: Readonly<Record<string, number>>
  /** False if the process crashed or was stopped, so that usage and answer are those of the last save. */
  readonly complete: boolean
}

/** Code that runs before and after each turn. Their errors affect neither the turn nor other plugins. */
export interface TurnHooks {
  /** Called in dependency order, before the first byte, at most 2 s; a refusal rejects the turn. */
  before?(turn: Turn): Promise<undefined | Refusal>
  /** Called before each tool call runs, at most 2 s; a refusal fails the call with its `detail`. A call that resumes has the same key. */
  beforeCall?(
    turn: Turn,
    call: { readonly tool: string; readonly idempotencyKey: string },
  ): Promise<undefined | Refusal>
  /**
   * Called in reverse order for each admitted turn, repeatedly and after a crash by another process, until it succeeds:
   * make effects idempotent by `turn.id`.
   */
  after?(turn: TurnRecord, end: TurnEnd): Promise<void>
}

/** A tool that the client of a turn runs; its result comes with a later request. */
export interface ClientTool {
  /** Letters, digits, `_` and `-`, at most 64; not the name of a tool of the oracle. */
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject
}

/** A tool call of a client, in place of the model. */
export interface ToolRequest {
  /** The name of the tool: one that `turns.tools` lists. */
  readonly tool: string
  readonly input: JsonValue
}

/** A tool that an actor can call in a session. */
export interface SessionTool {
  readonly name: string
  /** The capability that it belongs to; `core` for `list_capabilities` and `load_capability`. */
  readonly capability: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject
  /** JSON Schema of an object; unset if the tool does not define one. */
  readonly outputSchema?: JsonObject | undefined
  readonly effect: 'read' | 'write'
}

/** A capability of the oracle, as a session has it. */
export interface SessionCapability {
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly load: 'always' | 'on-demand'
  /** Whether its tools are available. */
  readonly isLoaded: boolean
  /** The examples of its manifest: messages of users, with placeholders such as `{city}`, and the tool that answers them. */
  readonly examples: readonly { readonly user: string | readonly string[]; readonly tool: string }[]
}

/** The tools and capabilities of a session. */
export interface SessionTools {
  /** The tools that the gate allows to the actor, of the loaded capabilities. */
  readonly tools: readonly SessionTool[]
  readonly capabilities: readonly SessionCapability[]
}

/** A message of a conversation that a client holds. */
export interface EarlierMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** A requested turn of `actor` in `session`. */
export interface TurnRequest {
  readonly actor: Actor
  /** The session's id; sessions are keyed by owner and id. */
  readonly session: string
  readonly text: string
  /**
   * Files of the message, at most 10. The files plugin stores them, and the model gets them as those of a chat message. Without
   * text, their names are the text.
   */
  readonly files?: readonly { readonly mediaType: string; readonly filename?: string; readonly content: Uint8Array }[]
  /**
   * The id of the message: letters, digits or `_ . : -`, at most 128. If the session has a message of the user with that id, this
   * one replaces it and everything after it, except answers that changed something. Without it, the message gets a new id.
   */
  readonly messageId?: string
  /** Text that the oracle adds for this turn only, at most 130,000 characters; it is not stored. */
  readonly note?: string | undefined
  /** Earlier messages, at most 400, for clients that hold the conversation: stored where the turn creates the session. */
  readonly history?: readonly EarlierMessage[]
  /** Tools that the client runs. A call suspends the turn like a question; `decide` takes `{ output }` or `{ error }` as data. */
  readonly clientTools?: readonly ClientTool[]
  /** Whether the model begins with a call of any tool, or of this one, or is offered none. @default as it chooses */
  readonly toolChoice?: 'required' | 'none' | { readonly tool: string } | undefined
  /** Capabilities that the session loads first, as by `load_capability`. */
  readonly capabilities?: readonly string[]
  /**
   * A tool call of the client, of which the turn consists instead of an answer of the model: with the same gate, approvals,
   * budgets and hooks. `text` is not stored as a message, and pending approvals of the session stay. The events contain the
   * result.
   */
  readonly call?: ToolRequest
  /**
   * The form of the answer, as zod or JSON Schema: its text is then JSON of this form, in one piece. An answer of another
   * form is requested a second time; the turn fails with `answer_invalid` if that one does not match either. Patterns and
   * formats of a JSON Schema are not checked.
   */
  readonly outputSchema?: ZodType | JsonObject
  readonly channel: Channel
  /** Requests with the same key in one session are one turn. */
  readonly dedupeKey?: string | undefined
  /**
   * Writes in the transaction that admits the turn, so that both are stored or neither; an error rejects the request. Not called
   * for a refused turn, or one that exists. As the work of `host.storage.write`, it awaits `tx` alone and may run again.
   */
  readonly within?: (tx: AnyTransaction, turnId: string) => Promise<void>
  /** If a turn is already running in that session: wait for it, or reject with 409 `turn_running`. */
  readonly whenBusy: 'queue' | 'refuse'
  /** `deny` if no user can be asked: tools that require approval then fail. */
  readonly approvals: 'ask' | 'deny'
  /** @default TURN_TIME_LIMIT_SECONDS of the oracle */
  readonly timeLimitMs?: number
  /** Stops the turn when it aborts. */
  readonly signal?: AbortSignal
}

/** One event of a running turn: `id` is its number in the turn, from 1; `event` as in the chat stream. */
export interface TurnEvent {
  readonly id: number
  readonly event: ChatEvent
}

/** The outcome and the answer of a turn. */
export interface TurnResult {
  readonly turnId: string
  readonly outcome: Outcome
  /** The text of the answer. */
  readonly text: string
  readonly usage: Usage
  /** The number of runs of each tool, by name; missing for a turn that another process ran, or that ended before. */
  readonly tools?: Readonly<Record<string, number>>
  /** With `failed`: the stable code. */
  readonly code?: string | undefined
  /** With `failed`, `interrupted` and `stopped`: the reason, as in the chat stream. Safe to show. */
  readonly detail?: string | undefined
  /** With `failed`, `interrupted` and `stopped`: whether it may have changed something, so that a repeat might do it twice. */
  readonly hasActed?: boolean
}

/** A message of the oracle in a session of a person, without a turn. */
export interface Post {
  readonly did: string
  readonly session: string
  readonly text: string
  /** Posts with the same key in one session are one. */
  readonly dedupeKey: string
}

/** A started turn. */
export interface StartedTurn {
  readonly turnId: string
  isRunning(): boolean
  /** The events, from the first one each time they are read; pieces of a text that come at once are one event. */
  readonly events: AsyncIterable<TurnEvent>
  /** Resolves when the turn is stored; never rejects. */
  readonly finished: Promise<TurnResult>
}

/** Runs agent turns for other channels than HTTP chat. */
export interface Turns {
  /**
   * Starts a turn, or finds the one that the same key started.
   *
   * @throws `output_schema_invalid`; with `files`: `attachments_off`, `attachments_too_many`, `attachments_too_large`, `attachment_invalid`, and what the
   * plugin that keeps files throws; nothing was kept or said then
   */
  run(request: TurnRequest): Promise<{ readonly refused: Refusal } | StartedTurn>
  /**
   * Answers an open approval; the turn continues, as `turn`, when no other approval of it is pending.
   *
   * @param options.maxQuestion The most characters of a question that the channel shows; one with more can only be denied. @default no limit
   * @param options.session The session in which the channel showed the question; `approval_not_found` in another. @default any
   */
  decide(
    actor: Actor,
    approvalId: string,
    decision: 'once' | 'session' | 'deny',
    data?: JsonValue,
    options?: Pick<TurnRequest, 'clientTools' | 'outputSchema' | 'signal' | 'within'> & {
      readonly maxQuestion?: number
      readonly session?: string
    },
  ): Promise<
    | { readonly refused: Refusal }
    | { readonly turnId: string; readonly waiting: readonly string[]; readonly turn?: StartedTurn }
  >
  /**
   * Returns the tools that the actor can call in a session now, which need not exist, and the capabilities of the oracle; with
   * `tool`, that tool and its capability alone.
   */
  tools(
    request: Pick<TurnRequest, 'actor' | 'session' | 'channel'> & { readonly tool?: string | undefined },
  ): Promise<{ readonly refused: Refusal } | SessionTools>
  /**
   * Calls back when a capability was loaded in a session, or the session was deleted, in any process, until the returned function
   * is called; also without a change.
   */
  onToolsChanged(did: string, session: string, listener: () => void): () => void
  /** Returns a turn of a person with all its events, in any process, also after its end; undefined if it does not exist. */
  follow(did: string, turnId: string): Promise<StartedTurn | undefined>
  /** Returns the tool calls of a session that wait for the user or for the client. */
  pending(did: string, session: string): Promise<readonly PendingCall[]>
  /** Stops a turn of that actor, by its id or as the running one of a session; false if it does not run. */
  stop(actor: Actor, turn: string | { readonly session: string }): Promise<boolean>
  /**
   * Adds a message of the oracle to a session of a person, without a turn: the result of earlier work. The session is
   * created if it does not exist. Waits for a running turn there.
   */
  post(post: Post): Promise<void>
  /**
   * Does the same in a transaction of `host.storage.write`, so that it is posted only if that commits.
   *
   * @returns false if a turn runs in the session: then nothing was posted, and `post` waits for it
   */
  postWithin(tx: AnyTransaction, post: Post): Promise<boolean>
  /**
   * Returns the stored messages of a person and the oracle, latest session first: for an export of personal data, or for the
   * person to read.
   *
   * @param options.session This session alone.
   * @param options.limit The number of sessions, at most 200. @default 200
   */
  transcripts(
    did: string,
    options?: { readonly session?: string; readonly limit?: number },
  ): Promise<readonly Transcript[]>
  /**
   * Returns the sessions of a person, latest first.
   *
   * @param limit At most 200.
   */
  sessions(did: string, limit: number): Promise<readonly SessionTitle[]>
  /**
   * Returns the stored messages of one session; none if it does not exist.
   *
   * @param options.after Only those after this message, if it exists.
   */
  messages(did: string, session: string, options?: { readonly after?: string }): Promise<readonly SessionMessage[]>
  /**
   * Stops everything that runs for a person, and deletes all their sessions with their data, or one; for an erasure, or
   * for sessions that are no longer needed. May be called again.
   *
   * @returns the number of sessions
   */
  forget(did: string, session?: string): Promise<number>
}

/** A tool call that waits. `decide` answers it by `approvalId`. */
export interface PendingCall {
  /** The turn that waits. */
  readonly turnId: string
  readonly approvalId: string
  readonly toolCallId: string
  readonly tool: string
  readonly input: JsonValue
  /** `approval`: whether it may run; `question`: what it asks the user; `client`: the client runs it. */
  readonly kind: 'approval' | 'question' | 'client'
  /** The text for the user: of an approval, a sentence and below it every argument. */
  readonly text: string
  /** Of a question: JSON Schema of the answer. */
  readonly schema?: JsonObject
}

/** A session with its title. */
export interface SessionTitle {
  readonly session: string
  /** The start of its first message. */
  readonly title: string
}

/** A stored message of a session. */
export interface SessionMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  /** In the UI message form of the AI SDK. */
  readonly parts: readonly { readonly type: string; readonly [key: string]: unknown }[]
}

/** One session as text. */
export interface Transcript {
  readonly session: string
  readonly messages: readonly {
    readonly role: 'user' | 'assistant'
    readonly text: string
    /** Milliseconds since 1970. */
    readonly at: number
  }[]
}
