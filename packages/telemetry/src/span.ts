export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** The kinds of OpenTelemetry that occur here. */
export type SpanKind = 'internal' | 'server' | 'client'

export interface EndedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: SpanAttributes
  /** Whether what it spans failed; the attribute `error.type` says how. */
  readonly failed: boolean
}

export interface SpanEnd {
  /** @default the name it began with */
  readonly name?: string
  readonly attributes?: SpanAttributes
  /** A stable code: what it spans failed. */
  readonly error?: string | undefined
  /** Milliseconds since 1970. @default now */
  readonly at?: number
}

/** A span under way. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** True if it is recorded. */
  readonly sampled: boolean
  /** Ends it; what comes after the first time does not count. */
  end(end?: SpanEnd): void
}
