import { z } from 'zod'
import { samplerNames } from './sampler.ts'

const collector = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .refine(text => {
    if (!URL.canParse(text)) return true
    const { username, password, hash } = new URL(text)
    return username === '' && password === '' && hash === ''
  }, 'must have no user and no fragment')

const pair = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*([^\p{Cc}]*?)\s*$/u

/** A list such as `authorization=Bearer%20abc,tenant=field`, as OpenTelemetry's variables have it. */
const pairs = (text: string): Record<string, string> | undefined => {
  const list: [string, string][] = []
  for (const part of text.split(',').filter(one => one.trim() !== '')) {
    const [, name, value] = pair.exec(part) ?? []
    if (name === undefined || value === undefined) return undefined
    try {
      list.push([name, decodeURIComponent(value)])
    } catch {
      return undefined
    }
  }
  return Object.fromEntries(list)
}

/** The secrets inside a list of headers: each value, and what follows a scheme such as `Bearer` in it. */
export const secretsInHeaders = (text: string): string[] =>
  Object.values(pairs(text) ?? {}).flatMap(value => [value, ...value.split(' ').slice(1)])

/** A list such as `name=value,other=value`, percent-encoded, as OpenTelemetry's variables have it. */
export const pairList = z
  .string()
  .max(8000)
  .transform((text, context) => {
    const list = pairs(text)
    if (list) return list
    context.addIssue({ code: 'custom', message: 'not a list of name=value, separated by commas' })
    return z.NEVER
  })

/** OpenTelemetry's own variables, as far as they apply; traces are off while no endpoint is set. */
export const telemetryEnv = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional().meta({
    description: 'The URL of an OpenTelemetry collector for OTLP over HTTP; if set, traces are sent to it.',
    example: 'http://localhost:4318',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.optional().meta({
    description: 'The complete URL for traces, if it differs.',
    example: 'http://localhost:4318/v1/traces',
    defaultText: 'OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: pairList.optional().meta({
    description: 'Headers for the collector, as name=value separated by commas, percent-encoded.',
    example: 'authorization=Bearer%20…',
    secret: true,
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/json').default('http/json').meta({
    description: 'The protocol of the collector; only one is supported.',
  }),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.coerce.number().int().min(1).max(60_000).default(10_000).meta({
    description: 'Timeout of a request to the collector, in milliseconds.',
  }),
  OTEL_SERVICE_NAME: z.string().max(200).optional().meta({
    description: 'The service name of the oracle in traces.',
    defaultText: 'ORACLE_NAME',
  }),
  OTEL_RESOURCE_ATTRIBUTES: pairList.optional().meta({
    description: 'Further resource attributes in traces, as name=value separated by commas.',
    example: 'deployment.environment.name=staging',
  }),
  OTEL_TRACES_SAMPLER: z.enum(samplerNames).default('parentbased_always_on').meta({
    description: 'The sampler, which selects the traces that are recorded.',
    example: 'parentbased_traceidratio',
  }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1).meta({
    description: 'The share of traces that the traceidratio samplers record.',
    example: '0.1',
  }),
  OTEL_SDK_DISABLED: z.stringbool().default(false).meta({
    description: 'Disables traces, regardless of other variables.',
    example: 'true',
  }),
}

const telemetryEnvSchema = z.object(telemetryEnv)

export type TelemetryEnv = z.output<typeof telemetryEnvSchema>
