import type { JsonObject, JsonValue, Outcome, Usage } from '@sibyl/protocol'
import type { AnyTransaction } from '@sibyl/storage'
import type { Actor } from '../actors/actor.ts'

/** Where a turn came from. */
export type Channel = 'chat' | 'ussd' | 'matrix' | 'sms' | 'task' | 'openai'

/** One question of an actor and the answer to it, while it runs. */
export interface Turn {
  readonly id: string
  readonly actor: Actor
  /** What the person said. */
  readonly text: string
  /** Aborts when the turn is stopped or runs out of time. */
  readonly signal: AbortSignal
  readonly session: { readonly id: string; readonly loadedPlugins: readonly string[] }
  readonly channel: Channel
}

/** A turn as it is kept. */
export interface TurnRecord {
  readonly id: string
  readonly actor: Actor
  readonly sessionId: string
  readonly text: string
  readonly channel: Channel
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

/** Why a turn may not start. Safe to show. */
export interface Refusal {
  readonly status: 402 | 403 | 404 | 409 | 429 | 503
  /** Stable, snake_case. */
  readonly code: string
  readonly detail: string
  readonly retryAfterSeconds?: number
}

/** What `after` hooks learn of a turn's end. */
export interface TurnEnd {
  readonly outcome: Outcome
  readonly usage: Usage
  /** The model that answered, as it is named to its provider: `gpt-5-mini`, `offline`. */
  readonly model: string
  /** How often each tool ran, by its name: those that were refused or never began are not in it. */
  readonly tools: Readonly<Record<string, number>>
  /** False when the process died or was stopped, so that usage and answer are what was known by then. */
  readonly complete: boolean
}

/** Code that runs around each turn. Both are contained: neither takes the turn or another plugin down. */
export interface TurnHooks {
  /** In dependency order, before the first byte, at most 2 s; a refusal ends the turn before it starts. */
  before?(turn: Turn): Promise<undefined | Refusal>
  /**
   * Called in reverse order for each admitted turn, again and after a crash by another process, until it succeeds: key effects
   * on `turn.id`.
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

/** A message of a conversation that a client holds. */
export interface EarlierMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** What to run: a turn of `actor` in `session`. */
export interface TurnRequest {
  readonly actor: Actor
  /** The session's id; sessions are keyed by owner and id. */
  readonly session: string
  readonly text: string
  /**
   * Files that the person sent along, at most 10. They are kept by the plugin that keeps files and given to the model as those of a
   * chat message; without text their names stand for it.
   */
  readonly files?: readonly { readonly mediaType: string; readonly filename?: string; readonly content: Uint8Array }[]
  /** What the oracle itself adds to the text for this turn alone, at most 8,000 characters; it is not kept. */
  readonly note?: string
  /**
   * Earlier messages, for clients that hold the conversation themselves: stored before the text where the turn creates the
   * session, ignored where the session exists. At most 400.
   */
  readonly history?: readonly EarlierMessage[]
  /**
   * Tools that the client runs. A call of one suspends the turn like a question; `decide` takes its result as data,
   * `{ output }` or `{ error }`.
   */
  readonly clientTools?: readonly ClientTool[]
  readonly channel: Channel
  /** Two requests of one key in one session are one turn. */
  readonly dedupeKey?: string
  /** When a turn runs in that session already: wait for it, or refuse with 409 `turn_running`. */
  readonly whenBusy: 'queue' | 'refuse'
  /** `deny` where no person can be asked: such tools then answer that they need one. */
  readonly approvals: 'ask' | 'deny'
  /** @default the oracle's TURN_TIME_LIMIT_SECONDS */
  readonly timeLimitMs?: number
  /** Stops the turn when it aborts. */
  readonly signal?: AbortSignal
}

/** One event of a running turn: `id` is its place in the turn, from 1; `event` as in the chat stream. */
export interface TurnEvent {
  readonly id: number
  readonly event: { readonly type: string; readonly [key: string]: unknown }
}

/** How a turn ended and what it said. */
export interface TurnResult {
  readonly turnId: string
  readonly outcome: Outcome
  /** The answer's text. */
  readonly text: string
  readonly usage: Usage
  /** With `failed`: the stable code. */
  readonly code?: string
  /** With `interrupted`: whether it had begun anything that changes something, so that the same again might do it twice. */
  readonly hasActed?: boolean
}

/** Something that the oracle says by itself in a session of a person. */
export interface Post {
  readonly did: string
  readonly session: string
  readonly text: string
  /** Two of one key in one session are one. */
  readonly dedupeKey: string
}

/** A turn that was started. */
export interface StartedTurn {
  readonly turnId: string
  readonly events: AsyncIterable<TurnEvent>
  /** Resolves when the turn is stored; never rejects. */
  readonly finished: Promise<TurnResult>
}

/** Runs agent turns for other channels than HTTP chat. */
export interface Turns {
  /**
   * Starts a turn, or finds the one that the same key started.
   *
   * @throws with `files`: `attachments_off`, `attachments_too_many`, `attachments_too_large`, `attachment_invalid`, and what the
   * plugin that keeps files throws; nothing was kept or said then
   */
  run(request: TurnRequest): Promise<{ readonly refused: Refusal } | StartedTurn>
  /** Answers an open approval; the turn goes on, as `turn`, once no other approval of it waits. */
  decide(
    actor: Actor,
    approvalId: string,
    decision: 'once' | 'session' | 'deny',
    data?: JsonValue,
    options?: { readonly clientTools?: readonly ClientTool[] },
  ): Promise<
    | { readonly refused: Refusal }
    | { readonly turnId: string; readonly waiting: readonly string[]; readonly turn?: StartedTurn }
  >
  /** Stops a turn of that actor, by its id or as the one that runs in a session; false when it does not run. */
  stop(actor: Actor, turn: string | { readonly session: string }): Promise<boolean>
  /**
   * Adds something that the oracle says by itself to a session of a person, without a turn: what came of work that they
   * asked for before. The session is made where there is none. It waits for the turn that runs there.
   */
  post(post: Post): Promise<void>
  /**
   * Does the same in a transaction of `host.storage.write`, so that it is said if and when that commits.
   *
   * @returns false where a turn runs in the session: then nothing was said, and `post` waits for it
   */
  postWithin(tx: AnyTransaction, post: Post): Promise<boolean>
  /** What is kept of all that a person and the oracle said, the latest 200 sessions; for a person who asks for it. */
  transcripts(did: string): Promise<readonly Transcript[]>
  /**
   * Ends what runs for a person, and deletes all sessions of theirs with all that belongs to them, or one; for a person who
   * asks for it, or what nobody needs any more. May be called again.
   *
   * @returns how many sessions there were
   */
  forget(did: string, session?: string): Promise<number>
}

/** One session as words. */
export interface Transcript {
  readonly session: string
  readonly messages: readonly {
    readonly role: 'user' | 'assistant'
    readonly text: string
    /** Milliseconds since 1970. */
    readonly at: number
  }[]
}
