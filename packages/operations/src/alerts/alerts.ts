import { type AlertTables, type CorePorts, safeReason } from '@sibyl/core/ports'
import { outbox } from '@sibyl/plugin'
import type { Jobs } from '@sibyl/storage'
import { z } from 'zod'
import { alertMetrics, windowedMetrics } from './alert-metrics.ts'
import { AlertStore } from './alert-store.ts'
import { type AlertChannels, deliverAlert } from './deliver-alert.ts'
import { judgeAlert } from './judge-alert.ts'

/** The job that checks all alerts, in one of the processes that share the database. */
export const alertsJob = 'core/alerts'
const noticesJob = 'core/alert-notices'

/** The alerts of an oracle. */
export interface Alerts {
  readonly store: AlertStore
  readonly channels: AlertChannels
  /** Checks every minute from now on; ends automatically when there are no alerts. */
  keepChecking(): Promise<void>
}

/** Defines the jobs of alerts: a check every minute while there are alerts, and the outbox of notifications. */
export const makeAlerts = (ports: CorePorts, jobs: Jobs, channels: AlertChannels): Alerts => {
  const { storage, log } = ports
  const { now } = channels
  const reader = alertMetrics(ports, now)
  const violationOf = (error: unknown) => ports.redact(safeReason(error)).slice(0, 300)
  const notices = outbox(
    jobs,
    noticesJob,
    async (id, { signal }) => {
      const next = await store.toSend(id, now())
      if (!next) return 'done'
      try {
        await deliverAlert(channels, next.alert, next.event, signal)
      } catch (error) {
        signal.throwIfAborted()
        await store.delivered(next.event.id, { delivery: 'pending', fault: violationOf(error), sentAt: null })
        throw error
      }
      await store.delivered(next.event.id, { delivery: 'sent', fault: null, sentAt: now() })
      return 'more'
    },
    {
      maxAttempts: 10,
      backOffMs: 5_000,
      maxBackOffMs: 600_000,
      onGivenUp: (id, error) => store.givenUp(id, violationOf(error)),
    },
  )
  const store = new AlertStore(storage.for<AlertTables>(), (id, tx) => notices.wake(id, { tx }))

  const checkAll = async (signal: AbortSignal) => {
    const alerts = await store.list()
    if (alerts.length === 0) {
      await jobs.unschedule(alertsJob)
      // One that was created meanwhile scheduled the check before this ended it.
      if ((await store.list()).length > 0) await keepChecking()
    }
    const read = reader()
    for (const alert of alerts) {
      signal.throwIfAborted()
      if (!alert.enabled) continue
      try {
        const value = await read(alert.metric, alert.minutes)
        const verdict = judgeAlert(alert, value, windowedMetrics.has(alert.metric), now())
        await store.checked(alert, value, verdict, now())
        if (verdict.event) log.warn(`an alert has ${verdict.event.kind}`, { alert: alert.id, name: alert.name, value })
      } catch (error) {
        log.warn('an alert could not be checked', { alert: alert.id, error })
      }
    }
    await store.forget(now(), signal)
  }
  jobs.define(alertsJob, z.unknown(), (_, { signal }) => checkAll(signal), {
    concurrency: 1,
    maxAttempts: 1,
    timeLimitMs: 50_000,
    purpose: 'maintenance',
  })
  const keepChecking = () => jobs.schedule(alertsJob, '* * * * *', 'UTC', alertsJob, {})
  return { store, channels, keepChecking }
}
