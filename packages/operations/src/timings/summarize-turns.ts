import { type CoreTables, readJson } from '@sibyl/core/ports'
import { isoTime } from '@sibyl/plugin'
import { type Storage, sql } from '@sibyl/storage'
import type { TurnSpan } from '@sibyl/telemetry'
import type { SelectQueryBuilder } from 'kysely'
import { isFailedCall, perCredit } from './timings-of-session.ts'
import type { Percentiles, TurnCounts, TurnsBucket, TurnsSummary } from './turns-summary.ts'

export interface SummaryRequest {
  /** Milliseconds since 1970. */
  readonly from: number
  readonly to: number
  /** The length of a bucket. @default one of `usualSeconds`, for at most `usualBuckets` */
  readonly bucketSeconds?: number | undefined
  readonly model?: string | undefined
  readonly channel?: string | undefined
}

/** The most buckets of a summary; shorter ones become longer. */
const maxBuckets = 500
/** Buckets of a summary whose caller names no length. */
const usualBuckets = 120
const usualSeconds = [60, 300, 900, 3_600, 21_600, 86_400]
/** The latest turns whose latencies, or tool calls, are read. */
const maxLatencies = 10_000
const maxToolTurns = 1_000

/**
 * Summarizes the turns of a time. Counts cover all of them; latencies and tools the latest ones, so that a summary costs
 * little however many turns there were.
 */
export const summarizeTurns = async (
  { read }: Pick<Storage<CoreTables>, 'read'>,
  request: SummaryRequest,
): Promise<TurnsSummary> => {
  const bucketMs = bucketSecondsOf(request) * 1_000
  const bucketOf = (time: number) => time - (time % bucketMs)
  const { from, to, model, channel } = request
  const among = <Columns>(query: SelectQueryBuilder<CoreTables, 'core_turn_timings', Columns>) => {
    let matching = query.where('started_at', '>=', from).where('started_at', '<', to)
    if (model !== undefined) matching = matching.where('model', '=', model)
    return channel === undefined ? matching : matching.where('channel', '=', channel)
  }
  const timings = read.selectFrom('core_turn_timings')
  const [counted, latencies, withTools] = await Promise.all([
    among(
      timings.select(({ fn }) => [
        sql<number>`started_at - started_at % ${sql.lit(bucketMs)}`.as('at'),
        'model',
        'channel',
        'outcome',
        'code',
        fn.countAll<number>().as('turns'),
        fn.sum<number>('input_tokens').as('input'),
        fn.sum<number>('cached_input_tokens').as('cached'),
        fn.sum<number>('output_tokens').as('output'),
        fn.sum<number | null>('cost').as('cost'),
      ]),
    )
      .groupBy(['at', 'model', 'channel', 'outcome', 'code'])
      .execute(),
    among(timings.select(['started_at', 'model', 'duration_ms', 'first_part_ms']))
      .orderBy('started_at', 'desc')
      .limit(maxLatencies)
      .execute(),
    among(timings.select('spans').where('tool_calls', '>', 0))
      .orderBy('started_at', 'desc')
      .limit(maxToolTurns)
      .execute(),
  ])
  const totals = new Counts()
  const buckets = new Groups<number>()
  const models = new Groups<string>()
  const channels = new Groups<string>()
  const errors = new Map<string, number>()
  for (const row of counted) {
    const isError = row.outcome === 'failed' || row.outcome === 'interrupted'
    const counts = { ...numbersOf(row), errors: isError ? Number(row.turns) : 0 }
    for (const group of [totals, buckets.of(Number(row.at)), models.of(row.model), channels.of(row.channel)]) {
      group.add(counts)
    }
    if (isError) {
      const code = row.code ?? row.outcome
      errors.set(code, (errors.get(code) ?? 0) + Number(row.turns))
    }
  }
  for (const row of latencies) {
    for (const group of [totals, buckets.of(bucketOf(Number(row.started_at))), models.of(row.model)]) {
      group.timed(Number(row.duration_ms), row.first_part_ms === null ? undefined : Number(row.first_part_ms))
    }
  }
  return {
    from: isoTime(from),
    to: isoTime(to),
    bucketSeconds: bucketMs / 1_000,
    totals: totals.record(),
    buckets: timesBetween(bucketOf(from), to, bucketMs).map(
      (at): TurnsBucket => ({ at: isoTime(at), ...buckets.of(at).record() }),
    ),
    errors: [...errors].map(([code, turns]) => ({ code, turns })).toSorted((one, other) => other.turns - one.turns),
    models: models.records().map(([name, counts]) => ({ model: name, ...counts })),
    channels: channels.records().map(([name, counts]) => ({ channel: name, ...counts })),
    tools: toolsOf(withTools.flatMap(({ spans }) => readJson<TurnSpan[]>(spans, []))),
    latenciesOf: latencies.length,
    toolsOf: withTools.length,
  }
}

const bucketSecondsOf = ({ from, to, bucketSeconds }: SummaryRequest): number => {
  const seconds = (to - from) / 1_000
  const usual = usualSeconds.find(length => seconds / length <= usualBuckets) ?? usualSeconds.at(-1)!
  return Math.max(bucketSeconds ?? usual, Math.ceil(seconds / (maxBuckets - 1)))
}

const timesBetween = (first: number, to: number, step: number): number[] =>
  Array.from({ length: Math.ceil((to - first) / step) }, (_, place) => first + place * step)

type Numbers = Omit<TurnCounts, 'firstPartMs' | 'durationMs'>

const numbersOf = (row: {
  readonly turns: number
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly cost: number | null
}): Omit<Numbers, 'errors'> => ({
  turns: Number(row.turns),
  usage: {
    inputTokens: Number(row.input),
    cachedInputTokens: Number(row.cached),
    outputTokens: Number(row.output),
  },
  ...(row.cost === null ? {} : { cost: Number(row.cost) / perCredit }),
})

/** The counts of a group of turns, with their latencies. */
class Counts {
  #numbers: Numbers = {
    turns: 0,
    errors: 0,
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  }
  readonly #durations: number[] = []
  readonly #firstParts: number[] = []

  add({ turns, errors, usage, cost }: Numbers): void {
    const before = this.#numbers
    const total = cost === undefined ? before.cost : (before.cost ?? 0) + cost
    this.#numbers = {
      turns: before.turns + turns,
      errors: before.errors + errors,
      usage: {
        inputTokens: before.usage.inputTokens + usage.inputTokens,
        cachedInputTokens: before.usage.cachedInputTokens + usage.cachedInputTokens,
        outputTokens: before.usage.outputTokens + usage.outputTokens,
      },
      cost: total,
    }
  }

  timed(durationMs: number, firstPartMs: number | undefined): void {
    this.#durations.push(durationMs)
    if (firstPartMs !== undefined) this.#firstParts.push(firstPartMs)
  }

  record(): TurnCounts {
    const { cost, ...numbers } = this.#numbers
    const [durationMs, firstPartMs] = [percentilesOf(this.#durations), percentilesOf(this.#firstParts)]
    return {
      ...numbers,
      ...(cost === undefined ? {} : { cost: Math.round(cost * perCredit) / perCredit }),
      ...(durationMs ? { durationMs } : {}),
      ...(firstPartMs ? { firstPartMs } : {}),
    }
  }
}

/** Counts by a key. */
class Groups<Key extends string | number> {
  readonly #groups = new Map<Key, Counts>()

  of(key: Key): Counts {
    const group = this.#groups.get(key) ?? new Counts()
    this.#groups.set(key, group)
    return group
  }

  /** Returns the groups with the most turns first. */
  records(): [Key, TurnCounts][] {
    return [...this.#groups]
      .map(([key, counts]): [Key, TurnCounts] => [key, counts.record()])
      .toSorted(([, one], [, other]) => other.turns - one.turns)
  }
}

const toolsOf = (spans: readonly TurnSpan[]): TurnsSummary['tools'] => {
  const tools = new Map<string, TurnSpan[]>()
  for (const span of spans) {
    if (span.kind !== 'tool' || span.name === undefined) continue
    const key = `${span.capability} ${span.name}`
    const calls = tools.get(key)
    if (calls) calls.push(span)
    else tools.set(key, [span])
  }
  return [...tools.values()]
    .map(calls => {
      const [{ name = '', capability = 'core' }] = calls as [TurnSpan, ...TurnSpan[]]
      return {
        tool: name,
        capability,
        calls: calls.length,
        failed: calls.filter(isFailedCall).length,
        durationMs: percentilesOf(calls.map(({ durationMs }) => durationMs))!,
      }
    })
    .toSorted((one, other) => other.calls - one.calls)
}

const percentilesOf = (values: readonly number[]): Percentiles | undefined => {
  if (values.length === 0) return undefined
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!
  return { p50: at(0.5), p95: at(0.95) }
}
