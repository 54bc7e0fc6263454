import { randomUUID } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { AlertEventRow, AlertRow } from '@sibyl/core/ports'
import type { AlertTarget } from '@sibyl/core/records'
import { type Actor, cleanText, isoTime, type Logger, listErrors, page, type Route, route } from '@sibyl/plugin'
import { checkOutboundAddress, secretText } from '@sibyl/plugin/outbound'
import { alertErrors } from './alert-errors.ts'
import {
  type AlertEventRecord,
  type AlertRecord,
  alertEventRecord,
  alertRecord,
  alertRequest,
  alertUpdate,
  createdAlertRecord,
} from './alert-records.ts'
import { maxAlerts, maxTests } from './alert-store.ts'
import type { Alerts } from './alerts.ts'
import { alertSecret, shownTarget } from './deliver-alert.ts'

const tags = ['Operator']
const params = z.object({ id: z.string().max(100) })
const events = page({ name: 'events', item: alertEventRecord })

/** Schema of the available channels. */
const channelNames = z.array(alertRecord.shape.target.shape.channel)

const targetErrors = [
  { code: 'sms_phone_not_own', status: 403 },
  alertErrors.alert_channel_missing,
  { code: 'outbound_refused', status: 422 },
  { code: 'outbound_failed', status: 502 },
  { code: 'signing_key_missing', status: 503 },
]

/** `/operator/alerts`: rules over metrics that notify a webhook, a phone or a room. */
export const alertRoutes = (alerts: Alerts, log: Logger): Route[] => {
  const { store, channels } = alerts
  const { now } = channels
  const find = async (id: string): Promise<AlertRow> => {
    const alert = await store.find(id)
    if (!alert) throw alertErrors.alert_not_found()
    return alert
  }
  /** Returns a target that can be reached, and that a caller may choose: of phones, their own. @throws what prevents that */
  const checked = async (target: AlertTarget, { did }: Actor): Promise<AlertTarget> => {
    if ('webhook' in target) {
      await checkOutboundAddress(target.webhook, { allowPrivate: channels.allowPrivate })
      return target
    }
    if ('sms' in target) {
      const phones = channels.phones()
      if (!channels.sms() || (!phones && !channels.isOracle(did))) {
        throw alertErrors.alert_channel_missing({ channel: 'SMS' })
      }
      if (!channels.isOracle(did)) await phones?.addressOf({ did, to: target.sms })
      return target
    }
    const matrix = channels.matrix()
    if (!matrix) throw alertErrors.alert_channel_missing({ channel: 'Matrix' })
    const { to } = await matrix.addressOf({ did: channels.did(), to: target.matrix })
    return { matrix: to }
  }
  return [
    route.get(
      '/operator/alerts',
      {
        auth: 'operator',
        tags,
        summary: 'List the alerts with their states, and the channels that they can use',
        ok: {
          200: {
            description: 'The alerts, by name',
            schema: z.object({ alerts: z.array(alertRecord), channels: channelNames }),
          },
        },
      },
      async c => {
        const available = [
          'webhook' as const,
          ...(channels.sms() ? ['sms' as const] : []),
          ...(channels.matrix() ? ['matrix' as const] : []),
        ]
        return c.json({ alerts: (await store.list()).map(recordOf), channels: available }, 200)
      },
    ),
    route.post(
      '/operator/alerts',
      {
        auth: 'operator',
        tags,
        summary: 'Create an alert',
        description:
          'Checked every minute by one process. Values of the process, such as `memory_mb` and `model_circuit_open`, are those of the ' +
          'process that checks. A webhook gets `{ "type": "alert.fired", "timestamp", "data" }` (`alert.resolved`, `alert.test`), signed ' +
          'by Standard Webhooks; a notification is retried ten times, over about 40 minutes. A delegated operator chooses their own phone. ' +
          'If the database is down, nothing is checked: monitor `/health` too.',
        body: alertRequest,
        ok: { 201: { description: 'The alert; with a webhook, its secret', schema: createdAlertRecord } },
        errors: [alertErrors.alerts_full, ...targetErrors],
      },
      async c => {
        const request = c.req.valid('json')
        const id = randomUUID()
        const target = await checked(request.target, c.get('actor'))
        const secret = 'webhook' in target ? secretText(await alertSecret(channels, id)) : undefined
        const alert = await store.create(id, { ...request, name: cleanText(request.name), target }, now())
        if (!alert) throw alertErrors.alerts_full({ most: maxAlerts })
        await alerts.keepChecking()
        log.info('the operator created an alert', { alert: id, by: c.get('actor').did })
        return c.json({ ...recordOf(alert), secret }, 201)
      },
    ),
    route.put(
      '/operator/alerts/{id}',
      {
        auth: 'operator',
        tags,
        summary: 'Replace an alert',
        description: 'Without `target`, the target stays. The check starts from the beginning.',
        params,
        body: alertUpdate,
        ok: { 200: { description: 'The alert', schema: alertRecord } },
        errors: [alertErrors.alert_not_found, ...targetErrors],
      },
      async c => {
        const { target, ...request } = c.req.valid('json')
        const { id } = await find(c.req.valid('param').id)
        const alert = await store.update(id, {
          ...request,
          name: cleanText(request.name),
          ...(target === undefined ? {} : { target: await checked(target, c.get('actor')) }),
        })
        if (!alert) throw alertErrors.alert_not_found()
        log.info('the operator changed an alert', { alert: id, by: c.get('actor').did })
        return c.json(recordOf(alert), 200)
      },
    ),
    route.delete(
      '/operator/alerts/{id}',
      {
        auth: 'operator',
        tags,
        summary: 'Delete an alert and its history',
        params,
        ok: { 204: { description: 'Deleted' } },
        errors: [alertErrors.alert_not_found],
      },
      async c => {
        const { id } = c.req.valid('param')
        if (!(await store.remove(id))) throw alertErrors.alert_not_found()
        log.info('the operator deleted an alert', { alert: id, by: c.get('actor').did })
        return c.body(null, 204)
      },
    ),
    route.post(
      '/operator/alerts/{id}/test',
      {
        auth: 'operator',
        tags,
        summary: 'Send a test notification of an alert',
        description: 'The result is in the history: `GET /operator/alert-events`. At most five in an hour.',
        params,
        ok: { 202: { description: 'The event', schema: alertEventRecord } },
        errors: [alertErrors.alert_not_found, alertErrors.alert_tests_used],
      },
      async c => {
        const event = await store.test(await find(c.req.valid('param').id), now())
        if (!event) throw alertErrors.alert_tests_used({ most: maxTests })
        return c.json(eventOf(event), 202)
      },
    ),
    route.get(
      '/operator/alert-events',
      {
        auth: 'operator',
        tags,
        summary: 'List the history of alerts, latest first',
        description: 'Stored for 90 days.',
        query: events.query.extend({
          alert: z.string().max(100).optional().meta({ description: 'Only of this alert' }),
        }),
        ok: { 200: { description: 'The events', schema: events.response } },
        errors: [listErrors.cursor_invalid],
      },
      async c => {
        const { alert, limit, cursor } = c.req.valid('query')
        const filters = { alert }
        const after = events.read(cursor, filters)
        const rows = await store.events({ alert, after, limit: limit + 1 })
        return c.json(events.make(rows, { limit, filters, keyOf: ({ id }) => id, itemOf: eventOf }), 200)
      },
    ),
  ]
}

const recordOf = (alert: AlertRow): AlertRecord => ({
  id: alert.id,
  name: alert.name,
  metric: alert.metric,
  comparison: alert.comparison,
  threshold: alert.threshold,
  minutes: alert.minutes,
  quietMinutes: alert.quietMinutes,
  enabled: alert.enabled,
  target: shownTarget(alert.target),
  state: alert.state,
  ...(alert.value === null ? {} : { value: alert.value }),
  ...(alert.checkedAt === null ? {} : { checkedAt: isoTime(alert.checkedAt) }),
  ...(alert.since === null ? {} : { since: isoTime(alert.since) }),
  createdAt: isoTime(alert.createdAt),
})

const eventOf = ({ value, at, fault, sentAt, ...event }: AlertEventRow): AlertEventRecord => ({
  ...event,
  ...(value === null ? {} : { value }),
  at: isoTime(at),
  ...(fault === null ? {} : { fault }),
  ...(sentAt === null ? {} : { sentAt: isoTime(sentAt) }),
})
