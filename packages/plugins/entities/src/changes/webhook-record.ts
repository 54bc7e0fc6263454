import { z } from 'zod'
import { changeFilters } from './change.ts'
import type { Webhook } from './webhook-store.ts'

export const webhookCreation = z.strictObject({
  /** URL that changes are sent to: http or https. */
  url: z
    .string()
    .min(1)
    .max(2_000)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters'),
  ...changeFilters.shape,
})

/** Schema of a webhook for its owner. */
export const webhookRecord = z.object({
  id: z.string(),
  url: z.string(),
  ...changeFilters.shape,
  /**
   * `failing` while the next change is retried, `given-up` after three days of retries, `stopped` once the right that
   * it was registered under has ended: `lastFailure` has the reason.
   */
  state: z.enum(['active', 'failing', 'given-up', 'stopped']),
  createdAt: z.iso.datetime(),
  deliveredAt: z.iso.datetime().optional(),
  failingSince: z.iso.datetime().optional(),
  nextTryAt: z.iso.datetime().optional(),
  lastFailure: z.string().optional(),
})

/** Response to `POST /v1/webhooks`, the only one that includes the secret. */
export const webhookCreated = webhookRecord.extend({
  /** Standard Webhooks: `whsec_` and base64. */
  secret: z.string(),
})

export type WebhookRecord = z.infer<typeof webhookRecord>

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
