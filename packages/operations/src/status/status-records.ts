import { adapterRecord, storageUsage } from '@sibyl/core/records'
import { capabilityRecord, healthRecord } from '@sibyl/protocol'
import * as z from 'zod'

const isoDateTime = z.iso.datetime({ offset: true })

/** Use of a limit that counts requests in a minute. */
export const limitRecord = z.object({
  /** `address`, `did`, `wide` for callers that share a count while the table is full, or `<plugin>/<name>`. */
  name: z.string(),
  /** Requests in a minute; missing where a plugin sets it for each use. */
  perMinute: z.int().optional(),
  /** Callers in this minute. */
  callers: z.int(),
  /** Callers that have reached the limit. */
  limited: z.int(),
  /** The share that the busiest caller has used, from 0 to 1. */
  fullest: z.number(),
})

/** `GET /operator/status`: the state of an oracle, and of the process that answered. */
export const operatorStatusRecord = healthRecord.pick({ status: true, environment: true, timestamp: true }).extend({
  name: z.string(),
  version: z.string(),
  database: z.object({
    state: z.enum(['connected', 'disconnected']),
    engine: z.enum(['sqlite', 'postgres']),
    /** Its response time. */
    pingMs: z.number(),
  }),
  /** The process that answered; its memory holds the limits below. */
  process: z.object({
    id: z.string(),
    pid: z.int(),
    node: z.string(),
    startedAt: isoDateTime,
    uptimeSeconds: z.number(),
    memory: z.object({ rssBytes: z.int(), heapUsedBytes: z.int(), heapLimitBytes: z.int() }),
    /** Share of a core that it used since the last read, from 0. */
    cpuShare: z.number(),
    /** Delay of timers since the last read, in milliseconds; missing in the first one. */
    eventLoopDelayMs: z.object({ p50: z.number(), p99: z.number() }).optional(),
    runningTurns: z.int(),
    openStreams: z.int(),
  }),
  model: z.object({
    name: z.string(),
    state: z.enum(['ready', 'not-configured']),
    description: z.string(),
    /** The circuit breaker of this process: `open` while calls are rejected after failures. */
    circuit: z.enum(['closed', 'open', 'half-open']).optional(),
  }),
  plugins: z.array(capabilityRecord),
  adapters: z.array(adapterRecord),
  /** Limits in the memory of this process. */
  limits: z.array(limitRecord),
  budgets: z.object({
    /** Tokens of the whole oracle on this UTC day. */
    tokens: z.int(),
    /** The most tokens of the oracle in a day; missing where there is no end. */
    budget: z.int().optional(),
    /** The most tokens of one DID in a day; missing where there is no end. */
    perDid: z.int().optional(),
    resetsAt: isoDateTime,
  }),
})

/** `GET /operator/usage`: tokens by UTC day, and by user. */
export const tokenUsageRecord = z.object({
  /** Each day up to today, the earliest first. */
  days: z.array(z.object({ day: z.iso.date(), tokens: z.int(), users: z.int() })),
  /** The users with the most tokens on these days; an erased user is a mark. */
  users: z.array(z.object({ did: z.string(), tokens: z.int() })),
})

/** `GET /operator/storage`: the last measurement of the database by the process that answered. */
export const storageRecord = z.object({
  /** Whether a measurement runs. */
  isMeasuring: z.boolean(),
  measuredAt: isoDateTime.optional(),
  usage: storageUsage.optional(),
})

export type LimitRecord = z.infer<typeof limitRecord>
export type OperatorStatusRecord = z.infer<typeof operatorStatusRecord>
export type StorageRecord = z.infer<typeof storageRecord>
export type TokenUsageRecord = z.infer<typeof tokenUsageRecord>
