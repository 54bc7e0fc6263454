import type { CoreTables } from '@sibyl/core/ports'
import type { Outcome } from '@sibyl/protocol'
import type { Storage } from '@sibyl/storage'
import type { TurnSpan } from '@sibyl/telemetry'
import { isFailedCall, type ListedTiming, perCredit, type TimingKey, timingOf } from './timings-of-session.ts'
import type { TraceResult } from './turn-timing.ts'

/** Selects turns of all users. */
export interface TraceFilters {
  /** Milliseconds since 1970. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly turn?: string | undefined
  readonly person?: string | undefined
  readonly channel?: string | undefined
  readonly model?: string | undefined
  /** The name of a tool that the turn called. */
  readonly tool?: string | undefined
  readonly result?: TraceResult | undefined
  readonly code?: string | undefined
  /** In credits. */
  readonly minCost?: number | undefined
}

/** A turn with its user and session. */
export interface ListedTrace extends ListedTiming {
  readonly owner: string
  readonly sessionId: string
}

/** Turns of one read, where the calls of each are compared with the filters. */
const batchSize = 500
/** Maximum reads of a page: one of a rare tool may have fewer turns than requested. */
const maxBatches = 4

/** Returns the turns that match, the latest first, and the key after which the next page starts. */
export const listTraces = async (
  { read }: Pick<Storage<CoreTables>, 'read'>,
  filters: TraceFilters,
  { limit, behind }: { readonly limit: number; readonly behind: TimingKey | undefined },
): Promise<{ readonly traces: readonly ListedTrace[]; readonly next: TimingKey | undefined }> => {
  const { tool, result } = filters
  const bySpans = tool !== undefined || result === 'tool-error'
  const batch = bySpans ? batchSize : limit + 1
  const matches = (spans: readonly TurnSpan[]) =>
    !bySpans ||
    spans.some(
      span =>
        span.kind === 'tool' &&
        (tool === undefined || span.name === tool) &&
        (result !== 'tool-error' || isFailedCall(span)),
    )
  const traces: ListedTrace[] = []
  let last = behind
  for (let reads = 1; ; reads += 1) {
    const rows = await matching(read, filters, last).limit(batch).execute()
    for (const row of rows) {
      const timing = timingOf(row)
      last = [Number(row.started_at), row.turn_id]
      if (matches(timing.spans)) traces.push({ key: last, timing, owner: row.owner, sessionId: row.session_id })
      if (traces.length > limit) return { traces: traces.slice(0, limit), next: traces[limit - 1]!.key }
    }
    if (rows.length < batch) return { traces, next: undefined }
    if (reads === maxBatches) return { traces, next: last }
  }
}

const matching = (
  read: Storage<CoreTables>['read'],
  { from, to, turn, person, channel, model, tool, result, code, minCost }: TraceFilters,
  behind: TimingKey | undefined,
) => {
  let query = read.selectFrom('core_turn_timings').selectAll()
  const equal = { turn_id: turn, owner: person, channel, model }
  for (const [column, value] of Object.entries(equal)) {
    if (value !== undefined) query = query.where(column as keyof typeof equal, '=', value)
  }
  if (from !== undefined) query = query.where('started_at', '>=', from)
  if (to !== undefined) query = query.where('started_at', '<', to)
  if (tool !== undefined || result === 'tool-error') query = query.where('tool_calls', '>', 0)
  if (result === 'error') query = query.where('outcome', 'in', ['failed', 'interrupted'])
  else if (result !== undefined && result !== 'tool-error') query = query.where('outcome', '=', result)
  if (code !== undefined) {
    // The summary counts errors without a code by their outcome.
    query = query.where(eb =>
      eb.or([eb('code', '=', code), eb.and([eb('code', 'is', null), eb('outcome', '=', code as Outcome)])]),
    )
  }
  if (minCost !== undefined) query = query.where('cost', '>=', Math.ceil(minCost * perCredit))
  if (behind) query = query.where(eb => eb(eb.refTuple('started_at', 'turn_id'), '<', eb.tuple(...behind)))
  return query.orderBy('started_at', 'desc').orderBy('turn_id', 'desc')
}
