import type { AlertEventRow, AlertRow } from '@sibyl/core/ports'
import type { AlertTarget } from '@sibyl/core/records'
import { type GuardedFetch, webhookHeaders, webhookSecret } from '@sibyl/plugin/outbound'
import type { personNotices, ServiceOf, smsSender } from '@sibyl/protocol'
import { alertErrors } from './alert-errors.ts'

export interface AlertChannels {
  readonly fetch: GuardedFetch
  /** Whether webhooks may be in private networks. */
  readonly allowPrivate: boolean
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>
  readonly sms: () => ServiceOf<typeof smsSender> | undefined
  /** Notices to people by SMS, which know whose number one is. */
  readonly phones: () => ServiceOf<typeof personNotices.sms> | undefined
  readonly matrix: () => ServiceOf<typeof personNotices.matrix> | undefined
  /** The DID in whose name rooms are written to: a controller, whom the bot lets write to all its rooms. */
  readonly did: () => string
  /** Returns whether a DID is that of the oracle, as which the operator token acts. */
  readonly isOracle: (did: string) => boolean
  readonly oracleName: string
  readonly now: () => number
}

/** Time limit of a webhook, in milliseconds. */
const webhookLimitMs = 10_000

/** Returns the secret of the webhook of an alert. */
export const alertSecret = (channels: Pick<AlertChannels, 'sign'>, id: string): Promise<Uint8Array> =>
  webhookSecret(channels, `alert ${id}`)

/** Sends an event to the target of its alert. @throws an error whose message is for the operator */
export const deliverAlert = async (
  channels: AlertChannels,
  { id, target }: Pick<AlertRow, 'id' | 'target'>,
  event: AlertEventRow,
  signal: AbortSignal,
): Promise<void> => {
  if ('webhook' in target) return postWebhook(channels, id, target.webhook, event, signal)
  const text = alertText(channels.oracleName, event)
  const idempotencyKey = `alert ${event.id}`
  if ('sms' in target) {
    const sms = channels.sms()
    if (!sms) throw alertErrors.alert_channel_missing({ channel: 'SMS' })
    return sms.send({ to: target.sms, text, idempotencyKey })
  }
  const matrix = channels.matrix()
  if (!matrix) throw alertErrors.alert_channel_missing({ channel: 'Matrix' })
  return matrix.send({ did: channels.did(), to: target.matrix, text, idempotencyKey })
}

const postWebhook = async (
  channels: AlertChannels,
  alert: string,
  url: string,
  event: AlertEventRow,
  signal: AbortSignal,
): Promise<void> => {
  const { name, metric, comparison, threshold, value } = event
  const at = new Date(event.at).toISOString()
  const data = { oracle: channels.oracleName, alert, name, metric, comparison, threshold, value }
  const body = JSON.stringify({ type: `alert.${event.kind}`, timestamp: at, data })
  const headers = webhookHeaders(await alertSecret(channels, alert), {
    id: `alert_${event.id}`,
    at: channels.now(),
    body,
  })
  const { status } = await channels.fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Sibyl-Webhooks' },
    body,
    timeLimitMs: webhookLimitMs,
    maxBytes: 0,
    maxRedirects: 0,
    allowPrivate: channels.allowPrivate,
    signal,
  })
  if (status < 200 || status >= 300) throw alertErrors.alert_rejected({ status })
}

/** Returns the text of a notification for a phone or a room. */
const alertText = (oracleName: string, { kind, name, metric, comparison, threshold, value }: AlertEventRow): string => {
  const heading = { fired: 'Alert', resolved: 'Resolved', test: 'Test of the alert' }[kind]
  const limit = `${metric} is ${value ?? 'unknown'}, limit: ${comparison} ${threshold}`
  return `[${oracleName}] ${heading}: ${name}. ${limit}.`
}

/** Returns a target as it may be shown: addresses of webhooks often contain secrets. */
export const shownTarget = (target: AlertTarget) => {
  if ('webhook' in target) return { channel: 'webhook', shown: `${new URL(target.webhook).origin}/…` } as const
  if ('sms' in target) return { channel: 'sms', shown: `${target.sms.slice(0, 4)}•••${target.sms.slice(-3)}` } as const
  return { channel: 'matrix', shown: target.matrix } as const
}
