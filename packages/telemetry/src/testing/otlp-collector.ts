import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as a collector got it, with its attributes as plain values. */
export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string | undefined
  readonly name: string
  readonly kind: number
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly failed: boolean
  readonly resource: Readonly<Record<string, unknown>>
}

/** A collector that takes OTLP over HTTP as JSON, and keeps what it got. */
export interface OtlpCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string
  readonly spans: CollectedSpan[]
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[]
  /** How the next requests are answered; 0 is not at all. */
  status: number
  close(): Promise<void>
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

/** Starts a collector on a free port of this computer. */
export const startOtlpCollector = async (): Promise<OtlpCollector> => {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    collector.requests.push({ path: request.url ?? '', headers: request.headers, body })
    if (collector.status === 0) return
    if (collector.status === 200) collector.spans.push(...readSpans(body))
    response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const collector: OtlpCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    requests: [],
    status: 200,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return collector
}

const readSpans = (body: string): CollectedSpan[] => {
  const { resourceSpans } = JSON.parse(body)
  return resourceSpans.flatMap((one: { resource: { attributes: Attribute[] }; scopeSpans: { spans: object[] }[] }) =>
    one.scopeSpans.flatMap(({ spans }) => spans.map(span => readSpan(span as never, one.resource.attributes))),
  )
}

const readSpan = (
  span: {
    traceId: string
    spanId: string
    parentSpanId?: string
    name: string
    kind: number
    startTimeUnixNano: string
    endTimeUnixNano: string
    attributes: Attribute[]
    status?: { code: number }
  },
  resource: readonly Attribute[],
): CollectedSpan => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId,
  name: span.name,
  kind: span.kind,
  startedAt: Number(BigInt(span.startTimeUnixNano)) / 1e6,
  endedAt: Number(BigInt(span.endTimeUnixNano)) / 1e6,
  attributes: plain(span.attributes),
  failed: span.status?.code === 2,
  resource: plain(resource),
})

const plain = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]))

const plainValue = (value: Attribute['value']): unknown => {
  if ('intValue' in value) return Number(value.intValue)
  if ('arrayValue' in value) {
    return (value.arrayValue as { values: Attribute['value'][] }).values.map(plainValue)
  }
  return Object.values(value)[0]
}
