import type { Outcome } from '@sibyl/protocol'
import { type Storage, sql } from '@sibyl/storage'
import type { RawBuilder } from 'kysely'
import type { AuthTables } from './auth-tables.ts'
import type { PeopleTables } from './people-tables.ts'
import type { TurnTimingTables } from './turn-timing-tables.ts'

/** `running`, or the outcome of the turn. */
export type TurnStatus = 'running' | Outcome

/** Core's tables. Times are milliseconds since 1970; columns that hold JSON say so. */
export interface CoreTables extends AuthTables, PeopleTables, TurnTimingTables {
  core_sessions: {
    owner: string
    id: string
    title: string
    /** JSON: names in the order they were loaded. */
    loaded_plugins: string
    /** JSON: tools that the owner approved for the session, each with a space and its scope, if any. */
    approved_tools: string
    /** The turn that created the session; empty if no turn did. */
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
    /** The assistant message of this turn. */
    answer_id: string
    channel: string
    /** JSON: Actor. */
    actor: string
    /** The DID that its tokens count against; null in old rows: the owner. */
    holder: string | null
    /** The origin of the actor, if its address has a share of the budget of the oracle. */
    origin: string | null
    text: string
    status: TurnStatus
    code: string | null
    /** JSON: Usage. */
    usage: string
    /** The name of the model; null in old rows. */
    model: string | null
    /** JSON: the number of runs of each tool, by name, as far as stored; null if none ran. */
    tools: string | null
    /** The process that runs it. */
    process_id: string
    /** 0 while a plugin may still refuse it and nothing of it is written. */
    admitted: number
    heartbeat_at: number
    reader_seen_at: number
    /** When another process read it last. */
    followed_at: number
    stop_requested: number
    /** 1 once every `after` hook has succeeded. */
    hooks_called: number
    /** JSON: the plugins whose `after` hook succeeded, if another one failed. */
    hooks_done: string | null
    /** The number of failed attempts of `after` hooks. */
    hooks_tries: number
    /** When the failed `after` hooks are called again. */
    hooks_due_at: number
    /** 1 if the session was deleted: the row stays, without its text, until every `after` hook has succeeded. */
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
    /** JSON: the input of the tool. */
    input: string
    /** `waiting`: it asked a question, and runs again with the answer. */
    state: 'intended' | 'waiting' | 'done' | 'failed'
    /** JSON: the result, if known. */
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
    /** JSON: the input of the tool. */
    input: string
    question: string
    state: 'open' | 'once' | 'session' | 'deny' | 'withdrawn'
    /** JSON: the data of the decision. */
    data: string | null
    created_at: number
    decided_at: number | null
    /** The turn that continued with the answer. */
    taken_up_by: string | null
    /** `approval`: whether the call may run. `question`: a question during the call. `client`: the client runs it. */
    kind: 'approval' | 'question' | 'client'
    /** The turn that made the call; null for the one that asked. */
    call_turn_id: string | null
    /** JSON: the JSON Schema of the answer to a question. */
    answer_schema: string | null
    /** JSON: the data of an earlier approval of the call, for a question. */
    approval_data: string | null
    /** The `approvalScope` of the tool at the time of the question. */
    approval_scope: string | null
    /**
     * JSON: the abilities of the tool at the time of the question; a decision requires one of them. Null if it has
     * none.
     */
    abilities: string | null
    /** The only process that can continue the call; null if any can. */
    held_by: string | null
    /** JSON: the Actor who decided; null in old rows. */
    decided_by: string | null
    /** The reason of the decision, given by the user. */
    decision_reason: string | null
  }
  core_token_usage: {
    /** The UTC day on which the turns ended: '2026-11-21'. */
    day: string
    /** The holder of the grant of the turns. */
    owner: string
    tokens: number
  }
  core_origin_usage: {
    /** The UTC day on which the turns ended: '2026-11-21'. */
    day: string
    origin: string
    tokens: number
  }
  /** Shared counts of several processes; on PostgreSQL only. */
  core_rate_counts: {
    key: string
    /** The part of the allowance that processes took in this window. */
    used: number
    /** The part that the last request got. */
    granted: number
    allowance: number
    ends_at: number
  }
  core_spent_nonces: {
    /**
     * The expiry of the row, in milliseconds since 1970. First in the key, since the same token has the same expiry.
     */
    expires_at: number
    hash: string
  }
}

/**
 * The time of all processes, in milliseconds since 1970: that of PostgreSQL, constant within a statement. On SQLite,
 * with one process, it is the given time.
 */
export const sharedTime = (engine: Storage['engine'], now: number | RawBuilder<number>) =>
  engine === 'postgres'
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`cast(${now} as integer)`

/** A time of `sharedTime`. */
export type SharedTime = ReturnType<typeof sharedTime>

/**
 * Options of frequent writes of core: each statement depends only on the rows that it changes, so that no conflict
 * between processes requires a retry. Writes that depend on earlier reads do not use it.
 */
export const rowByRow = { isolation: 'read committed' } as const
