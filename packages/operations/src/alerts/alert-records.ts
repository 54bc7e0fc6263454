import { alertMetric, alertTarget } from '@sibyl/core/records'
import * as z from 'zod'

const isoDateTime = z.iso.datetime({ offset: true })

/** The body of `POST /operator/alerts`. */
export const alertRequest = z.strictObject({
  name: z.string().trim().min(1).max(100),
  metric: alertMetric,
  comparison: z.enum(['above', 'below']),
  threshold: z.number().min(-1e15).max(1e15),
  minutes: z.int().min(1).max(1_440).default(5).meta({
    description: 'Minutes over which turns are counted; other values must stay beyond the threshold for so long',
  }),
  quietMinutes: z.int().min(0).max(10_080).default(60).meta({
    description: 'After a notification, further firings are only recorded for so long',
  }),
  enabled: z.boolean().default(true),
  target: alertTarget,
})

/** The body of `PUT /operator/alerts/:id`; without `target` it stays. */
export const alertUpdate = alertRequest.extend({ target: alertTarget.optional() })

/** An alert with its current state. */
export const alertRecord = alertRequest.omit({ target: true }).extend({
  id: z.string(),
  minutes: z.int(),
  quietMinutes: z.int(),
  enabled: z.boolean(),
  /** The target as it may be shown: a masked number, the host of a webhook. */
  target: z.object({ channel: z.enum(['webhook', 'sms', 'matrix']), shown: z.string() }),
  state: z.enum(['ok', 'firing']),
  /** The value at the last check; missing where there was none, such as the duration of no turns. */
  value: z.number().optional(),
  checkedAt: isoDateTime.optional(),
  /** When the value went beyond the threshold. */
  since: isoDateTime.optional(),
  createdAt: isoDateTime,
})

/** The answer of `POST /operator/alerts`. */
export const createdAlertRecord = alertRecord.extend({
  /** The secret of the signatures of a webhook (Standard Webhooks); shown this once. */
  secret: z.string().optional(),
})

/** An entry of the history of alerts. */
export const alertEventRecord = z.object({
  id: z.string(),
  alert: z.string(),
  /** The name of the alert at that time. */
  name: z.string(),
  kind: z.enum(['fired', 'resolved', 'test']),
  metric: alertMetric,
  comparison: z.enum(['above', 'below']),
  threshold: z.number(),
  value: z.number().optional(),
  at: isoDateTime,
  /** `none` in the quiet period of the alert. */
  delivery: z.enum(['none', 'pending', 'sent', 'failed']),
  /** The error of the last attempt, for the operator. */
  fault: z.string().optional(),
  sentAt: isoDateTime.optional(),
})

export type AlertRequest = z.infer<typeof alertRequest>
export type AlertRecord = z.infer<typeof alertRecord>
export type CreatedAlertRecord = z.infer<typeof createdAlertRecord>
export type AlertEventRecord = z.infer<typeof alertEventRecord>
