import type { Outcome } from '@sibyl/protocol'
import { type Storage, sql } from '@sibyl/storage'
import type { RawBuilder } from 'kysely'
import type { AuthTables } from './auth-tables.ts'
import type { PeopleTables } from './people-tables.ts'

/** `running`, or how the turn ended. */
export type TurnStatus = 'running' | Outcome

/** Core's tables. Times are milliseconds since 1970; columns that hold JSON say so. */
export interface CoreTables extends AuthTables, PeopleTables {
  core_sessions: {
    owner: string
    id: string
    title: string
    /** JSON: names in the order they were loaded. */
    loaded_plugins: string
    /** JSON: tools the owner approved for the rest of the session, each with a space and its scope where it has one. */
    approved_tools: string
    /** The turn that made the session; empty where no turn did. */
    first_turn: string
    running_turn: string | null
    created_at: number
    updated_at: number
  }
  core_messages: {
    owner: string
    session_id: string
    id: string
    position: number
    role: 'user' | 'assistant'
    /** JSON: parts in the AI SDK's UI message form. */
    parts: string
    /** JSON: MessageMetadata. */
    metadata: string
    /** Empty for posts of the oracle. */
    turn_id: string
    created_at: number
  }
  core_turns: {
    id: string
    owner: string
    session_id: string
    /** Equal for repeats of the same request: the client's message id. */
    message_key: string | null
    /** The assistant message this turn writes. */
    answer_id: string
    channel: string
    /** JSON: Actor. */
    actor: string
    /** The DID that its tokens count against; null in rows of before it was stored: the owner. */
    holder: string | null
    /** The actor's origin, where its address has a share of the oracle's budget. */
    origin: string | null
    text: string
    status: TurnStatus
    code: string | null
    /** JSON: Usage. */
    usage: string
    /** The model's name; null in rows of before it was kept. */
    model: string | null
    /** JSON: how often each tool ran, by its name, as far as it was stored; null where none did. */
    tools: string | null
    /** The process that runs it. */
    process_id: string
    /** 0 while a plugin still may refuse it and nothing of it is written. */
    admitted: number
    heartbeat_at: number
    reader_seen_at: number
    /** When it was last read in another process. */
    followed_at: number
    stop_requested: number
    /** 1 once every `after` hook has succeeded. */
    hooks_called: number
    /** JSON: the plugins whose `after` hook succeeded, where another one failed. */
    hooks_done: string | null
    /** How often `after` hooks failed. */
    hooks_tries: number
    /** When the `after` hooks that failed are called again. */
    hooks_due_at: number
    /** 1 when the session was deleted: the row stays, without its text, until every `after` hook has succeeded. */
    removed: number
    started_at: number
    ended_at: number | null
  }
  core_turn_events: {
    turn_id: string
    /** The number of the first event in `body`. */
    first_id: number
    /** One JSON event a line. */
    body: string
    created_at: number
  }
  core_tool_calls: {
    idempotency_key: string
    turn_id: string
    tool_call_id: string
    tool: string
    /** JSON: the tool's input. */
    input: string
    /** `waiting`: it asked a person, and runs again with the answer. */
    state: 'intended' | 'waiting' | 'done' | 'failed'
    /** JSON: the result, where it is known. */
    output: string | null
    created_at: number
  }
  core_approvals: {
    id: string
    owner: string
    session_id: string
    turn_id: string
    tool_call_id: string
    tool: string
    /** JSON: the tool's input. */
    input: string
    question: string
    state: 'open' | 'once' | 'session' | 'deny' | 'withdrawn'
    /** JSON: what the person gave with the decision. */
    data: string | null
    created_at: number
    decided_at: number | null
    /** The turn that went on with the answer. */
    taken_up_by: string | null
    /** `approval`: whether the call may run. `question`: what it asked in the midst of its work. */
    kind: 'approval' | 'question'
    /** The turn that made the call; null stands for the one that asked. */
    call_turn_id: string | null
    /** JSON: of a question, the JSON Schema of its answer. */
    answer_schema: string | null
    /** JSON: of a question, what the person gave when they approved the call before. */
    approval_data: string | null
    /** The tool's `approvalScope` when the person was asked. */
    approval_scope: string | null
    /** JSON: the tool's abilities when the person was asked; whoever decides must hold one. Null where it names none. */
    abilities: string | null
    /** The process in which alone the call can go on; null where any can. */
    held_by: string | null
    /** JSON: the Actor who decided; null in rows of before it was kept. */
    decided_by: string | null
    /** Why the person decided so, in their words. */
    decision_reason: string | null
  }
  core_token_usage: {
    /** The day of UTC on which the turns ended: '2026-11-21'. */
    day: string
    /** The holder of the right that the turns ran under. */
    owner: string
    tokens: number
  }
  core_origin_usage: {
    /** The day of UTC on which the turns ended: '2026-11-21'. */
    day: string
    origin: string
    tokens: number
  }
  /** What several processes count together; on PostgreSQL alone. */
  core_rate_counts: {
    key: string
    /** How much of the allowance the processes took in this window. */
    used: number
    /** How much the last one to ask got. */
    granted: number
    allowance: number
    ends_at: number
  }
  core_spent_nonces: {
    /** Milliseconds since 1970; the row is of no use after it. First in the key, since the same token has the same. */
    expires_at: number
    hash: string
  }
}

/**
 * The time that all processes agree on, in milliseconds since 1970: PostgreSQL's, the same throughout a statement. On
 * SQLite, with its one process, it is the time given.
 */
export const sharedTime = (engine: Storage['engine'], now: number | RawBuilder<number>) =>
  engine === 'postgres'
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`cast(${now} as integer)`

/** A moment as `sharedTime` gives it. */
export type SharedTime = ReturnType<typeof sharedTime>

/**
 * How core writes what many write at once: each statement decides by the rows that it changes itself, so that nothing
 * has to run again where two processes meet. A write that goes by what it only read is not done so.
 */
export const rowByRow = { isolation: 'read committed' } as const
