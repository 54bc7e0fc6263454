/** Where a trace goes on: W3C Trace Context, as the header `traceparent` says it. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly sampled: boolean
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Parses a `traceparent` header (https://www.w3.org/TR/trace-context/); undefined if it is invalid. */
export const parseTraceParent = (header: string | undefined): TraceParent | undefined => {
  if (header === undefined || header.length > 200) return undefined
  const [, version, traceId, spanId, flags, rest] = form.exec(header) ?? []
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
