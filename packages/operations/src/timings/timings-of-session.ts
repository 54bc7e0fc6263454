import { type CoreRow, type CoreTables, readJson } from '@sibyl/core/ports'
import type { Storage } from '@sibyl/storage'
import type { TurnSpan } from '@sibyl/telemetry'
import type { TurnTiming } from './turn-timing.ts'

/** Where a page of the turns of a session continues: the start and the id of its last turn. */
export type TimingKey = readonly [startedAt: number, turnId: string]

/** A timed turn with the key of its place in the list. */
export interface ListedTiming {
  readonly key: TimingKey
  readonly timing: TurnTiming
}

/** Returns the turns of a session, the latest first. */
export const timingsOfSession = async (
  { read }: Pick<Storage<CoreTables>, 'read'>,
  owner: string,
  sessionId: string,
  { limit, behind }: { readonly limit: number; readonly behind?: TimingKey | undefined },
): Promise<ListedTiming[]> => {
  let query = read
    .selectFrom('core_turn_timings')
    .selectAll()
    .where(eb => eb.and({ owner, session_id: sessionId }))
  if (behind) query = query.where(eb => eb(eb.refTuple('started_at', 'turn_id'), '<', eb.tuple(...behind)))
  const rows = await query.orderBy('started_at', 'desc').orderBy('turn_id', 'desc').limit(limit).execute()
  return rows.map(row => ({ key: [Number(row.started_at), row.turn_id], timing: timingOf(row) }))
}

/** Millionths in a credit. */
export const perCredit = 1_000_000

/** Outcomes of tool calls that did not fail. */
const wellEnded = new Set(['done', 'asks'])

export const isFailedCall = ({ outcome }: TurnSpan): boolean => !wellEnded.has(outcome)

export const timingOf = (row: CoreRow<'core_turn_timings'>): TurnTiming => ({
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
