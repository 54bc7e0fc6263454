import type { EndedSpan, SpanAttributes, SpanKind } from './span.ts'

/** Common attributes of all spans of an oracle. */
export interface TraceResource {
  /** `service.name` and what else describes the process. */
  readonly attributes: SpanAttributes
  /** The version of core. */
  readonly version: string
}

const kinds: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 }

const failedStatus = 2

/**
 * Encodes spans as an OTLP export request in JSON (https://opentelemetry.io/docs/specs/otlp/).
 *
 * @param redact Strikes secrets out of texts.
 */
export const encodeSpans = (
  spans: readonly EndedSpan[],
  { attributes, version }: TraceResource,
  redact: (text: string) => string,
): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(attributes, redact) },
        scopeSpans: [{ scope: { name: 'sibyl', version }, spans: spans.map(span => encodeSpan(span, redact)) }],
      },
    ],
  })

const encodeSpan = (span: EndedSpan, redact: (text: string) => string) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId,
  name: redact(span.name),
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.startedAt),
  endTimeUnixNano: nanoseconds(span.endedAt),
  attributes: encodeAttributes(span.attributes, redact),
  ...(span.failed ? { status: { code: failedStatus } } : {}),
})

/** Nanoseconds are more than a number can hold: they travel as text. */
const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1000)}000`

const encodeAttributes = (attributes: SpanAttributes, redact: (text: string) => string) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value, redact) }],
  )

const encodeValue = (value: NonNullable<SpanAttributes[string]>, redact: (text: string) => string): object => {
  if (typeof value === 'string') return { stringValue: redact(value) }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value !== 'number') return { arrayValue: { values: value.map(one => ({ stringValue: redact(one) })) } }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
