import type { WebhookRecord } from '../records/webhook-records.ts'
import type { Webhook } from './webhook-store.ts'

export const webhookRecordOf = (webhook: Webhook): WebhookRecord => ({
  id: webhook.id,
  url: webhook.url,
  ...webhook.filters,
  state: webhook.state === 'active' && webhook.failures > 0 ? 'failing' : webhook.state,
  createdAt: new Date(webhook.createdAt).toISOString(),
  ...timeOf('deliveredAt', webhook.deliveredAt),
  ...timeOf('failingSince', webhook.failingSince),
  ...timeOf('nextTryAt', webhook.nextTryAt),
  lastFailure: webhook.lastFailure,
})

const timeOf = <Name extends string>(name: Name, at: number | undefined) =>
  (at === undefined ? {} : { [name]: new Date(at).toISOString() }) as { readonly [Key in Name]?: string }
