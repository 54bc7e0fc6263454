import type { Logger } from '@sibyl/plugin'
import { Telemetry } from './telemetry.ts'
import type { TelemetryEnv } from './telemetry-env.ts'
import type { WorkContext } from './work-context.ts'

export interface TelemetryRequest {
  /** The version of Sibyl. */
  readonly version: string
  readonly env: TelemetryEnv & { readonly ORACLE_NAME: string }
  readonly work: WorkContext
  readonly log: Logger
  /** Strikes secrets out of texts. */
  redact(text: string): string
}

/** Makes the telemetry of an oracle; the code that traces is loaded only where a collector is named. */
export const makeTelemetry = async ({ version, env, work, log, redact }: TelemetryRequest): Promise<Telemetry> => {
  const url = tracesUrl(env)
  const agentName = env.ORACLE_NAME
  if (url === undefined || env.OTEL_SDK_DISABLED) return new Telemetry({ version, work, agentName, log })
  const [{ OtlpExporter }, { Tracer }, { createSampler }] = await Promise.all([
    import('./otlp-exporter.ts'),
    import('./tracer.ts'),
    import('./sampler.ts'),
  ])
  const exporter = new OtlpExporter({
    url,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMs: env.OTEL_EXPORTER_OTLP_TIMEOUT,
    resource: {
      version,
      attributes: {
        'service.name': env.OTEL_SERVICE_NAME ?? env.ORACLE_NAME,
        'service.version': version,
        ...env.OTEL_RESOURCE_ATTRIBUTES,
      },
    },
    log,
    redact,
  })
  const tracer = new Tracer({
    sample: createSampler(env.OTEL_TRACES_SAMPLER, env.OTEL_TRACES_SAMPLER_ARG),
    take: span => exporter.take(span),
  })
  const telemetry = new Telemetry({ version, work, agentName, log, tracer, flush: limitMs => exporter.close(limitMs) })
  telemetry.metrics.registry.collected({
    type: 'counter',
    name: 'sibyl_spans_dropped_total',
    help: 'Spans that were dropped, because the collector was unreachable or too slow.',
    collect: () => [[[], exporter.dropped]],
  })
  return telemetry
}

const tracesUrl = (env: TelemetryEnv): string | undefined => {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined) return env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  return base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/traces`
}
