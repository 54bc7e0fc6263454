import type { Host, Route } from '@sibyl/plugin'
import { type GuardedFetch, guardedFetch } from '@sibyl/plugin/outbound'
import { z } from 'zod'
import { createParties } from '../access/parties.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { createChangeFeed, keepCounting } from './change-feed.ts'
import { ChangeSignal } from './change-signal.ts'
import { changesRoute } from './changes-route.ts'
import { type DeliveryDependencies, deliverChanges } from './deliver-changes.ts'
import { WebhookDispatcher } from './webhook-dispatcher.ts'
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

const deliverKind = 'entities/webhook'
const sweepKind = 'entities/webhook-sweep'

/**
 * Starts the delivery of changes, and creates the routes of their followers.
 *
 * @param allowPrivate whether webhooks may be sent to private networks
 */
export const createEntityChanges = async (
  host: Omit<Host<unknown, EntitiesTables>, 'env'>,
  allowPrivate: boolean,
  fetch: GuardedFetch = guardedFetch,
): Promise<EntityChanges> => {
  const { storage, identity, grants, clock, jobs, log, limits, ending } = host
  await keepCounting(storage)
  const signal = new ChangeSignal()
  const feed = createChangeFeed(storage)
  const store = createWebhookStore(storage)

  const enqueue: DeliveryDependencies['enqueue'] = (webhook, run, options = {}) =>
    jobs.enqueue(deliverKind, { webhook, run }, { ...options, dedupeKey: `${webhook}:${run}` })
  const dispatcher = new WebhookDispatcher({
    store,
    feed,
    signal,
    enqueue: async (webhook, run) => (await enqueue(webhook, run)).created,
    log,
  })
  jobs.define(
    deliverKind,
    z.object({ webhook: z.string(), run: z.int() }),
    ({ webhook, run }, call) =>
      deliverChanges({ store, feed, identity, grants, clock, fetch, allowPrivate, enqueue }, webhook, run, call),
    { concurrency: 8, maxAttempts: 1_000_000, maxBackOffMs: 60_000, timeLimitMs: 180_000, purpose: 'outbox' },
  )
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
