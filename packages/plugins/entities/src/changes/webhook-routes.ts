import { randomUUID } from 'node:crypto'
import { type Actor, type Host, holderOf, type Route, route } from '@sibyl/plugin'
import { checkOutboundAddress, secretText, webhookSecret } from '@sibyl/plugin/outbound'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import type { Parties } from '../access/parties.ts'
import { entitiesErrors, tooManyWebhooks } from '../errors/entities-errors.ts'
import { webhookCreated, webhookCreation, webhookRecord } from '../records/webhook-records.ts'
import type { ChangeFeed } from './change-feed.ts'
import { webhookRecordOf } from './webhook-record.ts'
import { maxWebhooks, type WebhookStore } from './webhook-store.ts'

export interface WebhookRouteDependencies {
  readonly store: WebhookStore
  readonly feed: ChangeFeed
  readonly identity: Host['identity']
  readonly parties: Parties
  readonly clock: Host['clock']
  readonly limits: Pick<Host['limits'], 'shareOf'>
  readonly allowPrivate: boolean
  readonly registered: () => Promise<void>
}

/** Creates `POST`, `GET` and `DELETE /v1/webhooks`: callers see and delete the webhooks that they registered. */
export const webhookRoutes = (parts: WebhookRouteDependencies): Route[] => {
  const { store, feed, identity, parties, clock, limits, allowPrivate, registered } = parts
  const ownerOf = (actor: Actor | undefined, scope: 'read' | 'write') => parties.partyOf(actingAs(actor, scope).did)
  return [
    route.post(
      '/v1/webhooks',
      {
        auth: entitiesAccess('write'),
        summary: 'Register a webhook for changes of entities',
        description:
          'Sends each change from now on, in order, signed by Standard Webhooks. A change that is not accepted (2xx) is retried for three days. A change may arrive twice, with the same `webhook-id`. The body is `{ "type": "entity.created", "timestamp", "data" }`; `data` is a change as in `GET /v1/changes`, without its time.',
        body: webhookCreation,
        ok: {
          201: { description: 'The webhook with its secret, which is not shown again', schema: webhookCreated },
        },
        errors: [
          entitiesErrors.scope_missing,
          entitiesErrors.too_many_webhooks,
          { code: 'outbound_refused', status: 422 },
          { code: 'signing_key_missing', status: 503 },
        ],
      },
      async c => {
        const owner = ownerOf(c.get('actor'), 'write')
        const actor = c.get('actor')
        const { url, ...filters } = c.req.valid('json')
        const id = randomUUID()
        const secret = secretText(await webhookSecret(identity, id))
        await checkOutboundAddress(url, { allowPrivate })
        const [position, createdAt] = [await feed.tip(), clock.now()]
        const webhook = { id, owner, maker: actor, url, filters, signer: identity.did ?? '', position, createdAt }
        const share = { ...limits.shareOf(actor, maxWebhooks.ofAll), holder: parties.partyOf(holderOf(actor)) }
        const full = await store.insert(webhook, share)
        if (full) throw tooManyWebhooks(full, maxWebhooks.ofHolder)
        await registered()
        const record = webhookRecordOf({ ...webhook, ...fresh })
        return c.json({ ...record, secret }, 201, { location: `/v1/webhooks/${id}` })
      },
    ),
    route.get(
      '/v1/webhooks',
      {
        auth: entitiesAccess('read'),
        summary: 'List your webhooks with their states',
        ok: { 200: { description: 'Oldest first', schema: z.object({ webhooks: z.array(webhookRecord) }) } },
      },
      async c => {
        const webhooks = await store.list({ owner: ownerOf(c.get('actor'), 'read') })
        return c.json({ webhooks: webhooks.map(webhookRecordOf) }, 200)
      },
    ),
    route.delete(
      '/v1/webhooks/{id}',
      {
        auth: entitiesAccess('write'),
        summary: 'Delete a webhook',
        params: z.object({ id: z.string().max(100) }),
        ok: { 204: { description: 'Deleted' } },
        errors: [entitiesErrors.scope_missing, entitiesErrors.webhook_not_found],
      },
      async c => {
        const owner = ownerOf(c.get('actor'), 'write')
        const { id } = c.req.valid('param')
        if (!isWebhookId(id) || !(await store.remove(id, owner))) throw entitiesErrors.webhook_not_found()
        return c.body(null, 204)
      },
    ),
  ]
}

const isWebhookId = (text: string): boolean => /^[\da-f-]{36}$/.test(text)

/** State of a new webhook. */
const fresh = {
  state: 'active',
  failures: 0,
  failingSince: undefined,
  nextTryAt: undefined,
  lastFailure: undefined,
  deliveredAt: undefined,
} as const
