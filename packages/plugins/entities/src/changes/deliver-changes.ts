import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Host, HostGrants, HostIdentity } from '@sibyl/plugin'
import {
  type GuardedFetch,
  OutboundFailed,
  OutboundRefused,
  OutboundTimeout,
  webhookHeaders,
  webhookSecret,
} from '@sibyl/plugin/outbound'
import type { AnyTransaction, JobCall } from '@sibyl/plugin/storage'
import { rightEndOf } from '../access/acting.ts'
import { type Change, type ChangePosition, changeRecordOf, matchesFilters, positionText } from './change.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { Webhook, WebhookStore } from './webhook-store.ts'

export interface DeliveryDependencies {
  readonly store: WebhookStore
  readonly feed: ChangeFeed
  readonly identity: Pick<HostIdentity, 'did' | 'sign'>
  readonly grants: HostGrants
  readonly clock: Host['clock']
  readonly fetch: GuardedFetch
  readonly allowPrivate: boolean
  /** Enqueues the job of a run. */
  readonly enqueue: (
    webhook: string,
    run: number,
    options?: { tx?: AnyTransaction; runAt?: number },
  ) => Promise<{ readonly created: boolean }>
}

/** Time limit for the delivery of one change, in milliseconds. */
const deliveryLimitMs = 10_000

/** Time limit for deliveries in one job before the next one continues, in milliseconds. */
const runLimitMs = 60_000

/** Time without a successful delivery after which a webhook is given up, in milliseconds. */
export const givenUpAfterMs = 3 * 86_400_000

/**
 * Returns the pause after a failure, in milliseconds: 5 s, doubled each time, at most an hour, plus up to 25% jitter.
 */
export const pauseAfter = (failures: number, chance = Math.random()): number =>
  Math.round(Math.min(5_000 * 2 ** Math.min(failures - 1, 20), 3_600_000) * (1 + chance / 4))

/** Reason for which a change was not accepted. */
interface Failure {
  readonly reason: string
  /**
   * Set if deliveries end: `given-up` if the receiver rejects further changes, `stopped` if the right of the maker has
   * ended.
   */
  readonly endsAs?: 'given-up' | 'stopped'
}

/**
 * Delivers the changes of one webhook in order, each until the receiver has accepted it. Progress is stored after each
 * delivery. Only the latest run of a webhook delivers; a run that fails leaves the rest to the next one, after a pause.
 */
export const deliverChanges = async (
  parts: DeliveryDependencies,
  webhookId: string,
  run: number,
  { signal }: Pick<JobCall, 'signal'>,
): Promise<void> => {
  const { store, feed, clock, enqueue } = parts
  const webhook = await store.find(webhookId)
  if (webhook === undefined || webhook.state !== 'active' || webhook.run !== run) return
  const endsAt = performance.now() + runLimitMs
  let { position, failures } = webhook
  for (;;) {
    const { changes, isFull } = await feed.read(position)
    let done = position
    for (const change of changes) {
      signal.throwIfAborted()
      if (!matchesFilters(webhook.filters, change)) {
        done = change.position
        continue
      }
      const failure = await send(parts, webhook, change, signal)
      if (failure) return fail(parts, { ...webhook, failures }, done, failure)
      failures = 0
      done = change.position
      const progress = { ...done, ...recovered, delivered_at: clock.now() }
      if (performance.now() > endsAt) {
        await store.handOver(webhookId, run, progress, (tx, next) => enqueue(webhookId, next, { tx }))
        return
      }
      if (!(await store.progress(webhookId, run, progress))) return
      position = done
    }
    if (done !== position && !(await store.progress(webhookId, run, done))) return
    position = done
    if (!isFull) return
    await othersFirst()
  }
}

const recovered = { failures: 0, failing_since: null, next_try_at: null, last_failure: null } as const

/** Stores a failure and enqueues the retry; gives up after too long without a delivery. */
const fail = async (
  { store, clock, enqueue }: DeliveryDependencies,
  webhook: Webhook,
  done: ChangePosition,
  { reason, endsAs }: Failure,
): Promise<void> => {
  const now = clock.now()
  const failures = webhook.failures + 1
  const failingSince = (webhook.failures > 0 ? webhook.failingSince : undefined) ?? now
  const progress = { ...done, failures, failing_since: failingSince, last_failure: reason }
  if (endsAs || now - failingSince >= givenUpAfterMs) {
    await store.progress(webhook.id, webhook.run, { ...progress, next_try_at: null, state: endsAs ?? 'given-up' })
    return
  }
  const runAt = now + pauseAfter(failures)
  await store.handOver(webhook.id, webhook.run, { ...progress, next_try_at: runAt }, (tx, next) =>
    enqueue(webhook.id, next, { tx, runAt }),
  )
}

/** Sends one change; returns the failure if it was not accepted. */
const send = async (
  { identity, grants, clock, fetch, allowPrivate }: DeliveryDependencies,
  webhook: Webhook,
  change: Change,
  signal: AbortSignal,
): Promise<Failure | undefined> => {
  const end = webhook.maker && (await rightEndOf(grants, webhook.maker, 'write'))
  if (end) return { reason: `${end.code}: ${end.detail}`, endsAs: 'stopped' }
  if (identity.did !== webhook.signer) {
    return failed("The oracle's signing key has changed since the webhook was registered. Register it again.")
  }
  const { at, ...data } = changeRecordOf(change)
  const body = JSON.stringify({ type: `entity.${change.kind.replaceAll('-', '_')}`, timestamp: at, data })
  const id = `msg_${webhook.id}_${positionText(change.position)}`
  const headers = webhookHeaders(await webhookSecret(identity, webhook.id), { id, at: clock.now(), body })
  try {
    const { status } = await fetch(webhook.url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Sibyl-Webhooks' },
      body,
      timeLimitMs: deliveryLimitMs,
      maxBytes: 0,
      maxRedirects: 0,
      allowPrivate,
      signal,
    })
    if (status >= 200 && status < 300) return undefined
    if (status === 410) return { reason: 'The receiver answered 410 and accepts no more changes.', endsAs: 'given-up' }
    const isRedirect = status >= 300 && status < 400
    return failed(`The receiver answered ${status}.${isRedirect ? ' Redirects are not followed.' : ''}`)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof OutboundRefused || error instanceof OutboundFailed || error instanceof OutboundTimeout) {
      return failed(error.message)
    }
    throw error
  }
}

const failed = (reason: string): Failure => ({ reason })
