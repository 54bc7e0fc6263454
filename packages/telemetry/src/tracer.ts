import { randomBytes } from 'node:crypto'
import type { EndedSpan, Span, SpanAttributes, SpanKind } from './span.ts'
import type { TraceParent } from './trace-context.ts'

export interface TracerParts {
  /** Whether to record a trace that begins, or goes on, here. */
  sample(parent: TraceParent | undefined, traceId: string): boolean
  /** Takes the spans that have ended. Returns at once. */
  take(span: EndedSpan): void
}

/** A span that begins. */
export interface SpanStart {
  readonly name: string
  readonly kind: SpanKind
  /** The span around it here, or the caller's. */
  readonly parent?: Span | TraceParent | undefined
  readonly attributes?: SpanAttributes
  /** Milliseconds since 1970. @default now */
  readonly at?: number | undefined
}

/** Maximum drift of the clock of spans from that of the computer, in milliseconds, before it is corrected. */
const maxDriftMs = 20

/** Makes spans. */
export class Tracer {
  readonly #parts: TracerParts
  #origin = Date.now() - performance.now()

  constructor(parts: TracerParts) {
    this.#parts = parts
  }

  /** Now in milliseconds since 1970, with fractions, so that spans within a millisecond stay in order. */
  now(): number {
    const elapsed = performance.now()
    if (Math.abs(Date.now() - elapsed - this.#origin) > maxDriftMs) this.#origin = Date.now() - elapsed
    return this.#origin + elapsed
  }

  /** Begins a span. */
  start({ name, kind, parent, attributes, at = this.now() }: SpanStart): Span {
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    const isOurs = parent !== undefined && 'end' in parent
    const sampled = isOurs ? parent.sampled : this.#parts.sample(parent, traceId)
    const spanId = randomBytes(8).toString('hex')
    let ended = !sampled
    return {
      traceId,
      spanId,
      sampled,
      end: (end = {}) => {
        if (ended) return
        ended = true
        this.#parts.take({
          traceId,
          spanId,
          parentSpanId: parent?.spanId,
          name: end.name ?? name,
          kind,
          startedAt: at,
          endedAt: Math.max(end.at ?? this.now(), at),
          attributes: {
            ...attributes,
            ...end.attributes,
            ...(end.error === undefined ? {} : { 'error.type': end.error }),
          },
          failed: end.error !== undefined,
        })
      },
    }
  }
}
