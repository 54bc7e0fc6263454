import type { Outcome } from '@sibyl/protocol'
import { column, defineTable, type Storage, sql, type TablesOf } from '@sibyl/storage'
import type { RawBuilder, Selectable } from 'kysely'
import type { AuthTables } from './auth-tables.ts'
import { approvals, toolCalls } from './call-tables.ts'
import type { holds } from './hold-table.ts'
import type { StoredBytesTables } from './stored-bytes-tables.ts'
import type { TurnTimingTables } from './turn-timing-tables.ts'

/** `running`, or the outcome of the turn. */
export type TurnStatus = 'running' | Outcome

export const sessions = defineTable(
  'core_sessions',
  {
    owner: column.text(),
    id: column.text(),
    title: column.text(),
    /** JSON: names in the order they were loaded. */
    loaded_plugins: column.text(),
    /** JSON: tools that the owner approved for the session, each with a space and its scope, if any. */
    approved_tools: column.text(),
    /** The turn that created the session; empty if no turn did. */
    first_turn: column.text(),
    running_turn: column.text().nullable(),
    created_at: column.timestamp(),
    updated_at: column.timestamp(),
    /** The bytes of its data, as counted for its owner. */
    bytes: column.integer().since('0101-stored-bytes'),
  },
  {
    primaryKey: ['owner', 'id'],
    indexes: { core_sessions_activity: ['updated_at', 'owner'], core_sessions_recent: ['owner', 'updated_at'] },
    storedByKey: true,
  },
)

const messages = defineTable(
  'core_messages',
  {
    owner: column.text(),
    session_id: column.text(),
    id: column.text(),
    position: column.integer(),
    role: column.text<'user' | 'assistant'>(),
    /** JSON: parts in the AI SDK's UI message form. */
    parts: column.text(),
    /** JSON: MessageMetadata. */
    metadata: column.text(),
    /** Empty for posts of the oracle. */
    turn_id: column.text(),
    created_at: column.timestamp(),
  },
  // Not stored by key: there SQLite puts an answer above 1 kB on a page of its own.
  { primaryKey: ['owner', 'session_id', 'id'] },
)

export const turns = defineTable(
  'core_turns',
  {
    id: column.text().primaryKey(),
    owner: column.text(),
    session_id: column.text(),
    /** Equal for repeats of the same request: the client's message id. */
    message_key: column.text().nullable(),
    /** The assistant message of this turn. */
    answer_id: column.text(),
    channel: column.text(),
    /** JSON: Actor. */
    actor: column.text(),
    /** The DID that its tokens count against; null in old rows: the owner. */
    holder: column.text().nullable(),
    /** The origin of the actor, if its address has a share of the budget of the oracle. */
    origin: column.text().nullable(),
    text: column.text(),
    status: column.text<TurnStatus>(),
    code: column.text().nullable(),
    /** JSON: Usage. */
    usage: column.text(),
    /** The name of the model; null in old rows. */
    model: column.text().nullable(),
    /** JSON: the number of runs of each tool, by name, as far as stored; null if none ran. */
    tools: column.text().nullable(),
    /** The process that runs it. */
    process_id: column.text(),
    /** 0 while a plugin may still refuse it and nothing of it is written. */
    admitted: column.integer(),
    heartbeat_at: column.timestamp(),
    reader_seen_at: column.timestamp(),
    /** When another process read it last. */
    followed_at: column.timestamp(),
    stop_requested: column.integer(),
    /** 1 once every `after` hook has succeeded. */
    hooks_called: column.integer(),
    /** JSON: the plugins whose `after` hook succeeded, if another one failed. */
    hooks_done: column.text().nullable(),
    /** The number of failed attempts of `after` hooks. */
    hooks_tries: column.integer().default(0),
    /** When the failed `after` hooks are called again. */
    hooks_due_at: column.timestamp().default(0),
    /** 1 if the session was deleted: the row stays, without its text, until every `after` hook has succeeded. */
    removed: column.integer().default(0),
    started_at: column.timestamp(),
    ended_at: column.timestamp().nullable(),
    /** JSON: what a process needs to continue it besides its row; null if none can, and once it has ended. */
    request: column.text().nullable().since('0103-resumed-turns'),
    /** JSON: TurnCheckpoint; null before the first one, and once it has ended. */
    checkpoint: column.text().nullable().since('0103-resumed-turns'),
  },
  {
    unique: { core_turns_message: ['owner', 'session_id', 'message_key'] },
    indexes: {
      core_turns_open: { columns: ['hooks_called', 'status'], where: 'hooks_called = 0' },
      core_turns_owed: { columns: ['hooks_called', 'hooks_due_at'], where: 'hooks_called = 0' },
      core_turns_start: ['started_at'],
    },
    storedByKey: true,
  },
)

const turnEvents = defineTable(
  'core_turn_events',
  {
    turn_id: column.text(),
    /** The number of the first event in `body`. */
    first_id: column.integer(),
    /** One JSON event a line. */
    body: column.text(),
    created_at: column.timestamp(),
  },
  { primaryKey: ['turn_id', 'first_id'], indexes: { core_turn_events_age: ['created_at'] }, storedByKey: true },
)

const tokenUsage = defineTable(
  'core_token_usage',
  {
    /** The UTC day on which the turns ended: '2026-11-21'. */
    day: column.text(),
    /** The holder of the grant of the turns. */
    owner: column.text(),
    tokens: column.integer(),
  },
  { primaryKey: ['day', 'owner'], storedByKey: true },
)

const originUsage = defineTable(
  'core_origin_usage',
  {
    /** The UTC day on which the turns ended: '2026-11-21'. */
    day: column.text(),
    origin: column.text(),
    tokens: column.integer(),
  },
  { primaryKey: ['day', 'origin'], storedByKey: true },
)

/** Shared counts of several processes; on PostgreSQL only. */
const rateCounts = defineTable(
  'core_rate_counts',
  {
    key: column.text().primaryKey(),
    /** The part of the allowance that processes took in this window. */
    used: column.integer(),
    /** The part that the last request got. */
    granted: column.integer(),
    allowance: column.integer(),
    ends_at: column.timestamp(),
  },
  { unlogged: true },
)

const spentNonces = defineTable(
  'core_spent_nonces',
  {
    /**
     * The expiry of the row, in milliseconds since 1970. First in the key, since the same token has the same expiry.
     */
    expires_at: column.timestamp(),
    hash: column.text(),
  },
  { primaryKey: ['expires_at', 'hash'], storedByKey: true },
)

/** Erasures of people. */
const erasures = defineTable(
  'core_erasures',
  {
    /** The `erasedMark` of the person. */
    mark: column.text().primaryKey(),
    /** The UTC day of the latest erasures: `2026-11-23`. */
    day: column.text(),
    /** The number of erasures on that day by the person. */
    times: column.integer(),
  },
  { storedByKey: true },
)

/** Tables of sessions, turns, usage, limits and erasures. Times are milliseconds since 1970; columns that contain JSON say so. */
export const coreTables = [
  sessions,
  messages,
  turns,
  turnEvents,
  toolCalls,
  approvals,
  tokenUsage,
  originUsage,
  rateCounts,
  spentNonces,
  erasures,
] as const

export interface CoreTables
  extends TablesOf<typeof coreTables>,
    TablesOf<[typeof holds]>,
    AuthTables,
    TurnTimingTables,
    StoredBytesTables {}

/** A row of a table of core, as read. */
export type CoreRow<Name extends keyof CoreTables> = Selectable<CoreTables[Name]>

/**
 * The time of all processes, in milliseconds since 1970: that of PostgreSQL, constant within a statement. On SQLite,
 * with one process, it is the given time.
 */
export const sharedTime = (engine: Storage['engine'], now: number | RawBuilder<number>) =>
  engine === 'postgres'
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`cast(${now} as integer)`

export type SharedTime = ReturnType<typeof sharedTime>

/**
 * Options of frequent writes of core: each statement depends only on the rows that it changes, so that no conflict
 * between processes requires a retry. Writes that depend on earlier reads do not use it.
 */
export const rowByRow = { isolation: 'read committed' } as const
