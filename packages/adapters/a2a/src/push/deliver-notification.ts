import {
  type Actor,
  type DeliveryCall,
  type DeliveryResult,
  defineErrors,
  type Host,
  holdsAbility,
} from '@sibyl/plugin'
import type { CamelCaseStorage } from '@sibyl/plugin/host'
import type { GuardedFetch } from '@sibyl/plugin/outbound'
import type { Task } from '../tasks/task.ts'
import { lastTurnOf, readAbility, taskRecord } from '../tasks/task-record.ts'
import type { A2aTables } from '../tasks/task-tables.ts'
import type { PushSecrets } from './push-secrets.ts'

export interface DeliveryParts {
  readonly storage: CamelCaseStorage<A2aTables>
  readonly secrets: PushSecrets
  readonly grants: Host['grants']
  readonly identity: Pick<Host['identity'], 'url'>
  readonly allowPrivate: boolean
  readonly fetch: GuardedFetch
}

/** Time limit of one delivery, in milliseconds. */
const deliveryLimitMs = 10_000

/**
 * Delivers the oldest notification of a receiver. A receiver that answers 410, whose credentials cannot be read, or whose caller
 * lost the right is removed.
 *
 * @throws `a2a_push_not_accepted` and the errors of `guardedFetch`, after which the delivery is retried
 */
export const deliverNotification = async (
  { storage: { read, write }, secrets, grants, identity, allowPrivate, fetch }: DeliveryParts,
  target: number,
  { signal }: DeliveryCall,
): Promise<DeliveryResult> => {
  const next = await read
    .selectFrom('a2a_notifications')
    .innerJoin('a2a_push_targets', 'a2a_push_targets.place', 'a2a_notifications.target')
    .select(['a2a_notifications.place', 'a2a_notifications.snapshot', 'task', 'id', 'url', 'secret', 'maker'])
    .where('target', '=', target)
    .orderBy('a2a_notifications.place')
    .limit(1)
    .executeTakeFirst()
  if (!next) return 'done'
  const remove = async (): Promise<DeliveryResult> => {
    await write(async tx => {
      await tx.deleteFrom('a2a_notifications').where('target', '=', target).execute()
      await tx.deleteFrom('a2a_push_targets').where('place', '=', target).execute()
    })
    return 'done'
  }
  const verdict = await grants.check(next.maker as unknown as Actor)
  const secret = await secrets.open(next.secret, next)
  if (!verdict.holds || !secret) return remove()
  const { token, authorization } = secret
  const snapshot = JSON.parse(next.snapshot) as Task
  const task = holdsAbility(verdict.actor.scopes, readAbility) ? snapshot : lastTurnOf(snapshot)
  const { status } = await fetch(next.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/a2a+json',
      'user-agent': 'Sibyl-A2A',
      ...(token === undefined ? {} : { 'x-a2a-notification-token': token }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify({ task: taskRecord(task, { address: identity.url }) }),
    timeLimitMs: deliveryLimitMs,
    maxBytes: 0,
    maxRedirects: 0,
    allowPrivate,
    signal,
  })
  if (status === 410) return remove()
  if (status < 200 || status > 299) throw pushErrors.a2a_push_not_accepted({ status })
  await write(tx => tx.deleteFrom('a2a_notifications').where('place', '=', next.place).execute())
  return 'more'
}

/** Errors of deliveries, for their retries and the log. */
const pushErrors = defineErrors({
  a2a_push_not_accepted: { status: 502, message: 'The receiver of a push notification answered {status}.' },
})
