import { normalPhone } from '@sibyl/plugin/phones'
import * as z from 'zod'

/** Values that alerts watch. */
export const alertMetric = z.enum([
  'turns_per_minute',
  'failed_turns_per_minute',
  'failed_turns_percent',
  'turn_p95_seconds',
  'tokens_today',
  'token_budget_percent',
  'dead_letters',
  'dead_jobs',
  'late_job_minutes',
  'plugins_failing',
  'model_circuit_open',
  'database_ms',
  'disk_free_percent',
  'memory_mb',
])

/** The target of an alert: exactly one member. */
export const alertTarget = z.union([
  z.strictObject({ webhook: z.url().max(2_000) }),
  /** A phone number with its country code. */
  z.strictObject({ sms: z.string().min(5).max(40).overwrite(normalPhone) }),
  /** The id, alias or name of a room of the bot. */
  z.strictObject({ matrix: z.string().min(1).max(300) }),
])

export type AlertMetric = z.infer<typeof alertMetric>
export type AlertTarget = z.infer<typeof alertTarget>
