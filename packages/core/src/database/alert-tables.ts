import { column, defineTable, type TablesOf } from '@sibyl/storage'
import type { Selectable } from 'kysely'
import { type AlertMetric, alertTarget } from '../records/stored-alert.ts'

/** Alerts of the operator, with the state of their last check. */
export const alerts = defineTable('core_alerts', {
  id: column.text().primaryKey(),
  name: column.text(),
  metric: column.text<AlertMetric>(),
  comparison: column.text<'above' | 'below'>(),
  threshold: column.real(),
  minutes: column.integer(),
  quietMinutes: column.integer(),
  enabled: column.boolean(),
  target: column.json(alertTarget),
  state: column.text<'ok' | 'firing'>(),
  /** When the value went beyond the threshold. */
  since: column.timestamp().nullable(),
  /** Whether the target was notified of the current firing. */
  notified: column.boolean(),
  /** When the target was last notified of a firing. */
  notifiedAt: column.timestamp().nullable(),
  value: column.real().nullable(),
  checkedAt: column.timestamp().nullable(),
  createdAt: column.timestamp(),
})

/** The history of alerts, and their notifications. */
const alertEvents = defineTable(
  'core_alert_events',
  {
    /** Ascending with the time. */
    id: column.text().primaryKey(),
    alert: column.text(),
    name: column.text(),
    kind: column.text<'fired' | 'resolved' | 'test'>(),
    metric: column.text<AlertMetric>(),
    comparison: column.text<'above' | 'below'>(),
    threshold: column.real(),
    value: column.real().nullable(),
    at: column.timestamp(),
    delivery: column.text<'none' | 'pending' | 'sent' | 'failed'>(),
    fault: column.text().nullable(),
    sentAt: column.timestamp().nullable(),
  },
  { indexes: { core_alert_events_of_alert: ['alert', 'id'], core_alert_events_age: ['at'] } },
)

export const alertTables = [alerts, alertEvents] as const

export type AlertTables = TablesOf<typeof alertTables>

/** A stored alert. */
export type AlertRow = Selectable<AlertTables['core_alerts']>
/** A stored entry of the history. */
export type AlertEventRow = Selectable<AlertTables['core_alert_events']>
