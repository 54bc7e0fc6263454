import type { Outcome, TurnSpan, Usage } from '@sibyl/protocol'
import { deleteInParts, type FixedStatement, runFixed, type Storage } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { CoreRow, CoreTables } from '../database/core-tables.ts'

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
  readonly code?: string
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

const columns = [
  'owner',
  'session_id',
  'started_at',
  'turn_id',
  'channel',
  'model',
  'duration_ms',
  'outcome',
  'code',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'cost',
  'first_part_ms',
  'tool_calls',
  'spans',
  'omitted_spans',
] as const satisfies readonly (keyof TimingRow)[]

const timingInsert: FixedStatement<CoreTables, TimingRow, unknown> = (tx, value) =>
  tx
    .insertInto('core_turn_timings')
    .values(Object.fromEntries(columns.map(column => [column, value(column)])) as never)
    .onConflict(conflict => conflict.doNothing())

/** Deletes the timings of turns that began before a time. */
export const forgetTimings = async (
  storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>,
  time: number,
  signal: AbortSignal,
): Promise<void> => {
  await deleteInParts(storage, {
    table: 'core_turn_timings',
    key: ['owner', 'session_id', 'started_at', 'turn_id'],
    where: eb => eb('started_at', '<', time),
    signal,
  })
}
