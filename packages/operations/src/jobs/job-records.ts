import * as z from 'zod'

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

/** A kind of durable job, with the number of its jobs in each state; ended ones until they are deleted. */
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
  /** Those of them that have failed at least once; missing where the plugin does not count them. */
  retrying: z.int().optional(),
  /** Dead letters: deliveries that are no longer attempted. */
  dead: z.int(),
  /** Why the latest of them failed, where the plugin knows. */
  reason: z.string().optional(),
  /** Set where a plugin counts its own messages; others have durable jobs of the same name. */
  ofPlugin: z.literal(true).optional(),
  /** When the first pending delivery is or was due. */
  firstDueAt: isoDateTime.optional(),
})

export type JobStateRecord = z.infer<typeof jobState>
export type JobRecord = z.infer<typeof jobRecord>
export type JobKindRecord = z.infer<typeof jobKindRecord>
export type OutboxRecord = z.infer<typeof outboxRecord>
