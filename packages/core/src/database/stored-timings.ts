import { type Retention, retain } from '@sibyl/plugin'
import type { Outcome, Usage } from '@sibyl/protocol'
import { type FixedStatement, runFixed, type Storage } from '@sibyl/storage'
import type { TurnSpan } from '@sibyl/telemetry'
import type { Transaction } from 'kysely'
import type { CoreRow, CoreTables } from './core-tables.ts'
import { turnTimings } from './turn-timing-tables.ts'

/** The timings of a turn that ends. */
export interface EndedTiming {
  readonly channel: string
  readonly model: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  /** In millionths of a credit. */
  readonly cost: bigint | undefined
  readonly firstPartMs: number | undefined
  readonly toolCalls: number
  readonly spans: readonly TurnSpan[]
  readonly omittedSpans: number
}

/** The turn that the timings belong to. */
interface TimedTurn {
  readonly turnId: string
  readonly owner: string
  readonly sessionId: string
  readonly status: Outcome
  readonly code?: string | undefined
  readonly usage: Usage
}

/** Stores the timings of a turn, in the transaction of its end. */
export const insertTiming = async (
  tx: Transaction<CoreTables>,
  { turnId, owner, sessionId, status, code, usage }: TimedTurn,
  timing: EndedTiming,
): Promise<void> => {
  await runFixed(tx, timingInsert, {
    turn_id: turnId,
    owner,
    session_id: sessionId,
    channel: timing.channel,
    model: timing.model,
    started_at: timing.startedAt,
    duration_ms: Math.round(timing.durationMs),
    outcome: status,
    code: code ?? null,
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    output_tokens: usage.outputTokens,
    cost: timing.cost === undefined ? null : Number(timing.cost),
    first_part_ms: timing.firstPartMs === undefined ? null : Math.round(timing.firstPartMs),
    tool_calls: timing.toolCalls,
    spans: JSON.stringify(timing.spans),
    omitted_spans: timing.omittedSpans,
  })
}

type TimingRow = CoreRow<'core_turn_timings'>

const columns = Object.keys(turnTimings.columns) as (keyof TimingRow)[]

const timingInsert: FixedStatement<CoreTables, TimingRow, unknown> = (tx, value) =>
  tx
    .insertInto('core_turn_timings')
    .values(Object.fromEntries(columns.map(column => [column, value(column)])) as never)
    .onConflict(conflict => conflict.doNothing())

/** Returns the retention of timings, by the start of the turn. */
export const retainTimings = (
  storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>,
  days: number,
): Retention =>
  retain(storage, {
    table: 'core_turn_timings',
    key: ['owner', 'session_id', 'started_at', 'turn_id'],
    where: (eb, now) => eb('started_at', '<', now - days * 86_400_000),
    person: 'owner',
  })
