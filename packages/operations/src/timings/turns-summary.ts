import { usage } from '@sibyl/protocol'
import * as z from 'zod'

const count = z.int().min(0)

export const keepDays = count.meta({ description: '`TRACES_KEEP_DAYS`; 0 if no timings are stored' })

const percentiles = z.object({ p50: z.number(), p95: z.number() })
export type Percentiles = z.infer<typeof percentiles>

const turnCounts = z.object({
  turns: count,
  errors: count.meta({ description: 'Turns that failed or were interrupted' }),
  usage,
  cost: z.number().optional().meta({ description: 'In credits; absent if turns have no price' }),
  durationMs: percentiles.optional().meta({ description: 'From the start of a turn to its end' }),
  firstPartMs: percentiles
    .optional()
    .meta({ description: "From the first call of the model to its answer's first part" }),
})
export type TurnCounts = z.infer<typeof turnCounts>

const turnsBucket = turnCounts.extend({ at: z.iso.datetime({ offset: true }).meta({ description: 'Its start' }) })
export type TurnsBucket = z.infer<typeof turnsBucket>

/** The turns of a time: counts by bucket, error, model, channel and tool. */
export const turnsSummary = z.object({
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
  bucketSeconds: z.int().min(1),
  totals: turnCounts,
  buckets: z.array(turnsBucket).meta({ description: 'All of the time, also those without turns, the earliest first' }),
  errors: z.array(z.object({ code: z.string(), turns: count })),
  models: z.array(turnCounts.extend({ model: z.string() })),
  channels: z.array(turnCounts.extend({ channel: z.string() })),
  tools: z.array(
    z.object({ tool: z.string(), capability: z.string(), calls: count, failed: count, durationMs: percentiles }),
  ),
  latenciesOf: count.meta({
    description: 'The latest turns whose latencies are in `durationMs` and `firstPartMs`; at most 10,000',
  }),
  toolsOf: count.meta({ description: 'The latest turns with tool calls that are in `tools`; at most 1,000' }),
})
export type TurnsSummary = z.infer<typeof turnsSummary>

/** The response of `GET /operator/turns`. */
export const turnsSummaryRecord = turnsSummary.extend({ keepDays })
export type TurnsSummaryRecord = z.infer<typeof turnsSummaryRecord>
