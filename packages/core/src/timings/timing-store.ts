import type { Outcome, TurnSpan, TurnTiming, Usage } from '@sibyl/protocol'
import { deleteInParts, type FixedStatement, runFixed, type Storage } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { CoreRow, CoreTables } from '../database/core-tables.ts'
import { readJson } from '../database/stored-json.ts'

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

/** Where a page of the turns of a session continues: the start and the id of its last turn. */
export type TimingKey = readonly [startedAt: number, turnId: string]

/** A timed turn with the key of its place in the list. */
export interface ListedTiming {
  readonly key: TimingKey
  readonly timing: TurnTiming
}

/** Reads and deletes the timings of turns. */
export interface TimingStore {
  /** Returns the turns of a session, the latest first. */
  ofSession(
    owner: string,
    sessionId: string,
    page: { limit: number; behind?: TimingKey | undefined },
  ): Promise<ListedTiming[]>
  /** Deletes those of turns that began before a time. */
  forgetBefore(time: number, signal: AbortSignal): Promise<void>
}

/** Creates the store on the storage of the app. */
export const createTimingStore = (storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>): TimingStore => ({
  async ofSession(owner, sessionId, { limit, behind }) {
    let query = storage.read
      .selectFrom('core_turn_timings')
      .selectAll()
      .where('owner', '=', owner)
      .where('session_id', '=', sessionId)
    if (behind) {
      const [startedAt, turnId] = behind
      query = query.where(eb =>
        eb.or([
          eb('started_at', '<', startedAt),
          eb.and([eb('started_at', '=', startedAt), eb('turn_id', '<', turnId)]),
        ]),
      )
    }
    const rows = await query.orderBy('started_at', 'desc').orderBy('turn_id', 'desc').limit(limit).execute()
    return rows.map(row => ({ key: [Number(row.started_at), row.turn_id], timing: timingOf(row) }))
  },
  async forgetBefore(time, signal) {
    await deleteInParts(storage, {
      table: 'core_turn_timings',
      key: ['owner', 'session_id', 'started_at', 'turn_id'],
      where: eb => eb('started_at', '<', time),
      signal,
    })
  },
})

/** Millionths in a credit. */
export const perCredit = 1_000_000

const timingOf = (row: TimingRow): TurnTiming => ({
  turnId: row.turn_id,
  channel: row.channel,
  model: row.model,
  startedAt: new Date(Number(row.started_at)).toISOString(),
  durationMs: Number(row.duration_ms),
  outcome: row.outcome,
  ...(row.code === null ? {} : { code: row.code }),
  usage: {
    inputTokens: Number(row.input_tokens),
    cachedInputTokens: Number(row.cached_input_tokens),
    outputTokens: Number(row.output_tokens),
  },
  ...(row.cost === null ? {} : { cost: Number(row.cost) / perCredit }),
  spans: readJson<TurnSpan[]>(row.spans, []),
  omittedSpans: row.omitted_spans,
})
