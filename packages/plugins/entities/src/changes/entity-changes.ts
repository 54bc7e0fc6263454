import { type Host, outbox, type Route } from '@sibyl/plugin'
import { guardedFetch } from '@sibyl/plugin/outbound'
import { z } from 'zod'
import { createParties } from '../access/parties.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { createChangeFeed, keepCounting } from './change-feed.ts'
import { ChangeSignal } from './change-signal.ts'
import { changesRoute } from './changes-route.ts'
import { deliverChanges } from './deliver-changes.ts'
import { createWebhookDispatcher } from './webhook-dispatcher.ts'
import { webhookRoutes } from './webhook-routes.ts'
import { createWebhookStore, type WebhookStore } from './webhook-store.ts'

/** Delivery of changes over SSE and webhooks. */
export interface EntityChanges {
  /** Called after each commit that changed entities; never throws. */
  readonly written: () => void
  readonly routes: readonly Route[]
  readonly webhooks: WebhookStore
  dispose(): Promise<void>
}

/** Interval between reads of changes that other processes wrote, in milliseconds. */
const pollMs = 150

/** Maximum duration of a connection, in milliseconds: at most the lifetime of a bearer. */
const lifeMs = 900_000

/** Jobs of earlier versions, one for each run of a webhook. */
const earlierKind = 'entities/webhook'
const sweepKind = 'entities/webhook-sweep'

/**
 * Starts the delivery of changes, and creates the routes of their followers.
 *
 * @param allowPrivate whether webhooks may be sent to private networks
 */
export const createEntityChanges = async (
  host: Omit<Host<unknown, EntitiesTables>, 'env'>,
  allowPrivate: boolean,
): Promise<EntityChanges> => {
  const { storage, identity, grants, clock, jobs, log, limits, ending } = host
  await keepCounting(storage)
  const signal = new ChangeSignal()
  const feed = createChangeFeed(storage)
  const store = createWebhookStore(storage)

  const deliveries = outbox(
    jobs,
    'entities/webhooks',
    (id, call) => deliverChanges({ store, feed, identity, grants, clock, fetch: guardedFetch, allowPrivate }, id, call),
    { maxAttempts: 1_000_000, maxBackOffMs: 60_000, timeLimitMs: 180_000 },
  )
  jobs.define(earlierKind, z.object({ webhook: z.string() }), ({ webhook }) => deliveries.wake(webhook))
  const dispatcher = createWebhookDispatcher({ store, feed, signal, log, wake: deliveries.wake })
  jobs.define(sweepKind, z.null(), async () => {
    if ((await store.list('active')).length === 0) await jobs.unschedule(sweepKind)
    else await dispatcher.sweep()
  })
  const keepSweeping = () => jobs.schedule(sweepKind, '* * * * *', 'UTC', sweepKind, null)
  if ((await store.list('active')).length > 0) await keepSweeping()

  const follow = { feed, signal, lookMs: storage.engine === 'postgres' ? pollMs : 60_000, heartbeatMs: 15_000, lifeMs }
  return {
    written: () => signal.ring(),
    routes: [
      changesRoute({ ...follow, limits, grants, ending, log }),
      ...webhookRoutes({
        store,
        feed,
        identity,
        parties: createParties(identity),
        clock,
        limits,
        allowPrivate,
        registered: keepSweeping,
      }),
    ],
    webhooks: store,
    dispose: () => dispatcher.stop(),
  }
}
