import { didText } from '@sibyl/protocol'
import { z } from 'zod'
import { entityType } from './entity-members.ts'

/** Changes that a follower receives; all without a filter. */
export const changeFilters = z.object({
  type: entityType.optional(),
  /** Protocol of the entities. */
  protocol: didText.optional(),
  did: didText.optional(),
})

/** Body of `POST /v1/webhooks`. */
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
