import { type Retention, retain } from '@sibyl/plugin'
import type { Outcome, Usage } from '@sibyl/protocol'
import { type FixedStatement, runFixed, type Storage } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { CoreRow, CoreTables } from '../database/core-tables.ts'
import { turnTimings } from '../database/turn-timing-tables.ts'
import type { TurnSpan } from '../records/turn-span.ts'

/** The most spans that are stored of a turn. */
const maxSpans = 300

/** The longest name or id in a span, in characters; ids come from the model's provider. */
const longestName = 128

/** Facts of a span that begins. */
export type SpanFacts = Pick<TurnSpan, 'kind' | 'name' | 'capability' | 'toolCallId' | 'agentCallId'>

export interface SpanEnd {
  readonly outcome: string
  readonly usage?: Usage
  /** @default the time since its start */
  readonly durationMs?: number
}

/** A span under way. */
class OpenSpan {
  readonly #facts: SpanFacts
  readonly #startMs: number
  #firstPartMs: number | undefined
  #end: (SpanEnd & { readonly durationMs: number }) | undefined

  constructor(facts: SpanFacts, startMs: number) {
    this.#facts = facts
    this.#startMs = startMs
  }

  /** The wait for the first part of the answer, in milliseconds. */
  get firstPartMs(): number | undefined {
    return this.#firstPartMs
  }

  /** Notes the first part of an answer; later ones do not count. @param nowMs Since the start of the turn. */
  partCame(nowMs: number): void {
    this.#firstPartMs ??= nowMs - this.#startMs
  }

  /** Ends it, once. @param nowMs Since the start of the turn. */
  end(nowMs: number, end: SpanEnd): void {
    this.#end ??= { durationMs: nowMs - this.#startMs, ...end }
  }

  /** Returns what is stored of it; a span that has not ended was interrupted. */
  record(nowMs: number): TurnSpan {
    const { durationMs, outcome, usage } = this.#end ?? { durationMs: nowMs - this.#startMs, outcome: 'interrupted' }
    return {
      ...this.#facts,
      startMs: rounded(this.#startMs),
      durationMs: rounded(Math.max(0, durationMs)),
      ...(this.#firstPartMs === undefined ? {} : { firstPartMs: rounded(this.#firstPartMs) }),
      ...(usage ? { usage } : {}),
      outcome,
    }
  }
}

/** Collects the spans of a turn while it runs. It takes no text of the conversation. */
export class TurnTimings {
  readonly #startedAt = performance.now()
  readonly #spans: OpenSpan[] = []
  #omitted = 0
  #firstPartMs: number | undefined
  #toolCalls = 0
  #preparing: OpenSpan | undefined

  /** The time since the start of the turn, in milliseconds. */
  get nowMs(): number {
    return performance.now() - this.#startedAt
  }

  /** From the first call of the model to its first part, in milliseconds. */
  get firstPartMs(): number | undefined {
    return this.#firstPartMs === undefined ? undefined : rounded(this.#firstPartMs)
  }

  get toolCalls(): number {
    return this.#toolCalls
  }

  /** Begins what precedes the first call of the model; the one before ends. */
  prepares(kind: 'admission' | 'prompt'): void {
    this.#preparing?.end(this.nowMs, { outcome: 'done' })
    this.#preparing = this.#begin({ kind })
  }

  /** Adds the wait for a person that preceded this turn. @param startMs Negative: before the start of the turn. */
  waited(
    facts: Omit<SpanFacts, 'kind'>,
    startMs: number,
    end: Required<Pick<SpanEnd, 'outcome' | 'durationMs'>>,
  ): void {
    this.#begin({ kind: 'wait', ...facts }, startMs).end(this.nowMs, end)
  }

  /** Begins a call of the model. */
  modelCall(name: string, agentCallId: string | undefined): ModelSpan {
    this.#preparing?.end(this.nowMs, { outcome: 'done' })
    this.#preparing = undefined
    const span = this.#begin({ kind: 'model', name, agentCallId })
    return {
      partCame: () => {
        span.partCame(this.nowMs)
        this.#firstPartMs ??= span.firstPartMs
      },
      ended: end => span.end(this.nowMs, end),
    }
  }

  /** Begins a tool call; call the result at its end, with its outcome. */
  toolCall(facts: Omit<SpanFacts, 'kind'>): (outcome: string) => void {
    this.#toolCalls += 1
    const span = this.#begin({ kind: 'tool', ...facts })
    return outcome => span.end(this.nowMs, { outcome })
  }

  /** Returns the spans, and the number of those that are not stored. */
  records(): { readonly spans: readonly TurnSpan[]; readonly omitted: number } {
    const { nowMs } = this
    return { spans: this.#spans.map(span => span.record(nowMs)), omitted: this.#omitted }
  }

  #begin(facts: SpanFacts, startMs = this.nowMs): OpenSpan {
    const span = new OpenSpan(shortened(facts), startMs)
    if (this.#spans.length < maxSpans) this.#spans.push(span)
    else this.#omitted += 1
    return span
  }
}

/** A call of the model under way. */
export interface ModelSpan {
  /** Notes that a part of the answer came. */
  partCame(): void
  ended(end: SpanEnd): void
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10

const shortened = (facts: SpanFacts): SpanFacts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, value?.slice(0, longestName).toWellFormed()]),
  ) as SpanFacts

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
