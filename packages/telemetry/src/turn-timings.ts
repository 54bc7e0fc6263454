import type { Usage } from '@sibyl/protocol'

/** The most spans that are stored of a turn. */
const maxSpans = 300

/** The longest name or id in a span, in characters; ids come from the model's provider. */
const longestName = 128

/** A timed part of a turn, as it is stored. It contains no text of the conversation. */
export interface TurnSpan {
  readonly kind: 'admission' | 'prompt' | 'wait' | 'model' | 'tool'
  readonly name?: string | undefined
  readonly capability?: string | undefined
  readonly toolCallId?: string | undefined
  readonly agentCallId?: string | undefined
  /** Milliseconds after the start of the turn; negative before it. */
  readonly startMs: number
  readonly durationMs: number
  readonly firstPartMs?: number | undefined
  readonly usage?: Usage | undefined
  readonly outcome: string
  /** The code of the error of a tool that failed. */
  readonly code?: string | undefined
}

/** Facts of a span that begins. */
type SpanFacts = Pick<TurnSpan, 'kind' | 'name' | 'capability' | 'toolCallId' | 'agentCallId'>

/** The end of a span. Its duration is by default the time since its start. */
type SpanEnd = Pick<TurnSpan, 'outcome' | 'usage' | 'code'> & Partial<Pick<TurnSpan, 'durationMs'>>

/** A span under way. */
interface OpenSpan {
  readonly facts: SpanFacts
  readonly startMs: number
  /** The wait for the first part of the answer, in milliseconds. */
  firstPartMs?: number
  end?: SpanEnd & { readonly durationMs: number }
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
    this.#end(this.#preparing, { outcome: 'done' })
    this.#preparing = this.#begin({ kind })
  }

  /** Adds the wait for a person that preceded this turn. @param startMs Negative: before the start of the turn. */
  waited(facts: Omit<SpanFacts, 'kind'>, startMs: number, end: SpanEnd): void {
    this.#end(this.#begin({ kind: 'wait', ...facts }, startMs), end)
  }

  /** Begins a call of the model. */
  modelCall(name: string, agentCallId: string | undefined): ModelSpan {
    this.#end(this.#preparing, { outcome: 'done' })
    this.#preparing = undefined
    const span = this.#begin({ kind: 'model', name, agentCallId })
    return {
      partCame: () => {
        span.firstPartMs ??= this.nowMs - span.startMs
        this.#firstPartMs ??= span.firstPartMs
      },
      ended: end => this.#end(span, end),
    }
  }

  /** Begins a tool call; call the result at its end, with its outcome, and the code of its error. */
  toolCall(facts: Omit<SpanFacts, 'kind'>): (outcome: string, code?: string | undefined) => void {
    this.#toolCalls += 1
    const span = this.#begin({ kind: 'tool', ...facts })
    return (outcome, code) => this.#end(span, { outcome, code })
  }

  /** Returns the spans, and the number of those that are not stored. */
  records(): { readonly spans: readonly TurnSpan[]; readonly omitted: number } {
    const { nowMs } = this
    return { spans: this.#spans.map(span => recordOf(span, nowMs)), omitted: this.#omitted }
  }

  #begin(facts: SpanFacts, startMs = this.nowMs): OpenSpan {
    const span: OpenSpan = { facts: shortened(facts), startMs }
    if (this.#spans.length < maxSpans) this.#spans.push(span)
    else this.#omitted += 1
    return span
  }

  /** Ends a span, once. */
  #end(span: OpenSpan | undefined, end: SpanEnd): void {
    if (span) span.end ??= { durationMs: this.nowMs - span.startMs, ...end }
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

/** Returns what is stored of a span; one that has not ended was interrupted. */
const recordOf = ({ facts, startMs, firstPartMs, end }: OpenSpan, nowMs: number): TurnSpan => {
  const { durationMs, outcome, usage, code } = end ?? { durationMs: nowMs - startMs, outcome: 'interrupted' }
  return {
    ...facts,
    startMs: rounded(startMs),
    durationMs: rounded(Math.max(0, durationMs)),
    ...(firstPartMs === undefined ? {} : { firstPartMs: rounded(firstPartMs) }),
    ...(usage ? { usage } : {}),
    outcome,
    ...(code === undefined ? {} : { code }),
  }
}
