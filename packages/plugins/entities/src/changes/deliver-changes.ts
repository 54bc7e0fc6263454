import { backoff, type DeliveryCall, type DeliveryResult, type Host } from '@sibyl/plugin'
import {
  type GuardedFetch,
  OutboundFailed,
  OutboundRefused,
  OutboundTimeout,
  webhookHeaders,
  webhookSecret,
} from '@sibyl/plugin/outbound'
import { rightEndOf } from '../access/acting.ts'
import { type Change, type ChangePosition, changeRecordOf, matchesFilters, positionText } from './change.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { Webhook, WebhookStore } from './webhook-store.ts'

export interface DeliveryDependencies {
  readonly store: WebhookStore
  readonly feed: ChangeFeed
  readonly identity: Pick<Host['identity'], 'did' | 'sign'>
  readonly grants: Host['grants']
  readonly clock: Host['clock']
  readonly fetch: GuardedFetch
  readonly allowPrivate: boolean
}

/** Time limit for the delivery of one change, in milliseconds. */
const deliveryLimitMs = 10_000

/** Time after which a call ends with a successful delivery, in milliseconds; the next call continues. */
const callLimitMs = 60_000

/** Time without a successful delivery after which a webhook is given up, in milliseconds. */
export const givenUpAfterMs = 3 * 86_400_000

const pauseAfter = backoff({ firstMs: 5_000, maxMs: 3_600_000 })

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
 * Delivers the next changes of a webhook in order, each until the receiver has accepted it. Progress is stored after
 * each delivery, if no other process has stored some meanwhile.
 */
export const deliverChanges = async (
  parts: DeliveryDependencies,
  webhookId: string,
  { signal }: Pick<DeliveryCall, 'signal'>,
): Promise<DeliveryResult> => {
  const { store, feed, clock } = parts
  const webhook = await store.find(webhookId)
  if (webhook?.state !== 'active') return 'done'
  if (webhook.nextTryAt !== undefined && webhook.nextTryAt > clock.now()) return { againAt: webhook.nextTryAt }
  const endsAt = performance.now() + callLimitMs
  const { changes, isFull } = await feed.read(webhook.position)
  let { position: stored, failures } = webhook
  let done = stored
  for (const change of changes) {
    signal.throwIfAborted()
    if (matchesFilters(webhook.filters, change)) {
      const failure = await send(parts, webhook, change, signal)
      if (failure) return fail(parts, { ...webhook, position: stored, failures }, done, failure)
      const progress = { ...change.position, ...recovered, delivered_at: clock.now() }
      if (!(await store.progress(webhookId, stored, progress))) return 'more'
      stored = change.position
      failures = 0
      if (performance.now() > endsAt) return 'more'
    }
    done = change.position
  }
  if (done !== stored) await store.progress(webhookId, stored, done)
  return isFull ? 'more' : 'done'
}

const recovered = { failures: 0, failing_since: null, next_try_at: null, last_failure: null } as const

/** Stores a failure and returns the time of the retry; gives up after too long without a delivery. */
const fail = async (
  { store, clock }: DeliveryDependencies,
  webhook: Webhook,
  done: ChangePosition,
  { reason, endsAs }: Failure,
): Promise<DeliveryResult> => {
  const now = clock.now()
  const failures = webhook.failures + 1
  const failingSince = (webhook.failures > 0 ? webhook.failingSince : undefined) ?? now
  const progress = { ...done, failures, failing_since: failingSince, last_failure: reason }
  if (endsAs || now - failingSince >= givenUpAfterMs) {
    const state = endsAs ?? 'given-up'
    await store.progress(webhook.id, webhook.position, { ...progress, next_try_at: null, state })
    return 'done'
  }
  const againAt = now + Math.round(pauseAfter(failures))
  await store.progress(webhook.id, webhook.position, { ...progress, next_try_at: againAt })
  return { againAt }
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
