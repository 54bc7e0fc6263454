import * as z from 'zod'
import { adapterRecord, capabilityRecord, healthRecord } from './records.ts'

const isoDateTime = z.iso.datetime({ offset: true })

/** The state of a durable job; `dead` when all attempts failed. */
export const jobState = z.enum(['waiting', 'running', 'done', 'dead', 'cancelled'])

/** A durable job, without its data. */
export const jobRecord = z.object({
  id: z.string(),
  kind: z.string(),
  /** `outbox` for messages to other services, `maintenance` for periodic cleanup; missing where no plugin defines the kind. */
  purpose: z.enum(['work', 'outbox', 'maintenance']).optional(),
  state: jobState,
  /** When it runs next, or was due. */
  dueAt: isoDateTime,
  createdAt: isoDateTime,
  endedAt: isoDateTime.optional(),
  /** The number of attempts so far. */
  attempts: z.int(),
  maxAttempts: z.int().optional(),
  /** The last failure, without secrets. */
  error: z.object({ code: z.string().optional(), text: z.string() }).optional(),
})

/** A kind of durable job, with the number of its jobs in each state; ended ones are counted for a day. */
export const jobKindRecord = z.object({
  kind: z.string(),
  purpose: jobRecord.shape.purpose,
  maxAttempts: z.int().optional(),
  waiting: z.int(),
  running: z.int(),
  done: z.int(),
  dead: z.int(),
  cancelled: z.int(),
})

/** An outbox: messages of a plugin that are delivered at least once. */
export const outboxRecord = z.object({
  /** `<plugin>/<what>`. */
  name: z.string(),
  /** Deliveries that wait or run. */
  pending: z.int(),
  /** Those of them that have failed at least once; missing for an outbox without durable jobs. */
  retrying: z.int().optional(),
  /** Dead letters: deliveries that are no longer attempted. */
  dead: z.int(),
  /** When the first pending delivery is or was due. */
  firstDueAt: isoDateTime.optional(),
})

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

/** Levels of log lines, ascending. */
export const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error'])

/** A line of the log, in an event of `GET /operator/log`. */
export const logLineRecord = z.object({
  time: isoDateTime,
  level: logLevel,
  message: z.string(),
  plugin: z.string().optional(),
  /** Further fields of the line, without secrets. */
  fields: z.record(z.string(), z.unknown()),
})

export type JobStateRecord = z.infer<typeof jobState>
export type JobRecord = z.infer<typeof jobRecord>
export type JobKindRecord = z.infer<typeof jobKindRecord>
export type TokenUsageRecord = z.infer<typeof tokenUsageRecord>
export type OutboxRecord = z.infer<typeof outboxRecord>
export type LogLineRecord = z.infer<typeof logLineRecord>
export type LimitRecord = z.infer<typeof limitRecord>
export type OperatorStatusRecord = z.infer<typeof operatorStatusRecord>
