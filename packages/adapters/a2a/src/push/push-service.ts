import { createHash } from 'node:crypto'
import {
  type Actor,
  type DeliveryCall,
  type DeliveryResult,
  defineErrors,
  type Host,
  holdsAbility,
  outbox,
} from '@sibyl/plugin'
import { type CamelCaseStorage, camelCaseTransaction } from '@sibyl/plugin/host'
import { checkOutboundAddress, type GuardedFetch } from '@sibyl/plugin/outbound'
import { type FixedStatement, runFixed } from '@sibyl/plugin/storage'
import type { JsonObject } from '@sibyl/protocol'
import { a2aErrors } from '../errors/a2a-errors.ts'
import type { Task } from '../tasks/task.ts'
import { lastTurnOf, readAbility, taskRecord } from '../tasks/task-record.ts'
import type { OnSettled } from '../tasks/task-store.ts'
import { type A2aTables, pushTargets } from '../tasks/task-tables.ts'
import type { PushTarget } from '../wire/requests.ts'
import { createPushSecrets, type PushSecrets } from './push-secrets.ts'

/** Most receivers: of a task, and of the tasks of a caller that have not ended. */
const max = { ofTask: 5, ofOwner: 50 } as const

/** A receiver as its owner reads it, without its credentials. */
export interface PushRecord {
  readonly id: string
  readonly taskId: string
  readonly url: string
}

export interface PushSettings {
  /** Whether they may go to private networks. */
  readonly allowPrivate: boolean
  readonly fetch: GuardedFetch
}

export const createPushService = (
  { jobs, identity, grants }: Pick<Host, 'jobs' | 'identity' | 'grants'>,
  storage: CamelCaseStorage<A2aTables>,
  { allowPrivate, fetch }: PushSettings,
) => {
  const { read, write } = storage
  const secrets = createPushSecrets(identity)
  const notices = outbox(
    jobs,
    'a2a/push',
    (key, call) => deliverNotification({ storage, secrets, grants, identity, allowPrivate, fetch }, Number(key), call),
    {
      maxAttempts: 12,
      timeLimitMs: 60_000,
      onGivenUp: async key => {
        await write(tx => tx.deleteFrom('a2a_notifications').where('target', '=', Number(key)).execute())
      },
    },
  )
  const records = ({ id }: Task) =>
    read.selectFrom('a2a_push_targets').select(['id', 'task as taskId', 'url']).where('task', '=', id)

  return {
    /** Checks an address before a turn starts. Throws `outbound_refused`, `outbound_failed`, `signing_key_missing`. */
    async check({ url, token, authentication }: PushTarget): Promise<void> {
      await checkOutboundAddress(url, { allowPrivate })
      if (token !== undefined || authentication) await secrets.seal({ token: '' }, { task: '', id: '' })
    },
    /** Stores a receiver; without an id, one with the same address is the same. One of a task that does not run is notified now. Throws `a2a_push_full`. */
    async add(actor: Actor, task: Task, { id: given, url, token, authentication }: PushTarget): Promise<PushRecord> {
      const id = given ?? createHash('sha256').update(url).digest('base64url').slice(0, 22)
      const { scheme, credentials } = authentication ?? {}
      const secret = await secrets.seal(
        {
          ...(token ? { token } : {}),
          ...(scheme === undefined ? {} : { authorization: `${scheme} ${credentials ?? ''}`.trim() }),
        },
        { task: task.id, id },
      )
      await write(async tx => {
        const maker = pushTargets.values({ maker: actor as unknown as JsonObject })
        const same = tx
          .updateTable('a2a_push_targets')
          .set({ secret, ...maker })
          .where(eb => eb.and({ task: task.id, id }))
        if (await same.where('url', '=', url).returning('place').executeTakeFirst()) return
        await tx.deleteFrom('a2a_push_targets').where('task', '=', task.id).where('id', '=', id).execute()
        const { ofTask, ofOwner } = await tx
          .selectFrom('a2a_push_targets')
          .innerJoin('a2a_tasks', 'a2a_tasks.id', 'a2a_push_targets.task')
          .where('a2a_push_targets.owner', '=', task.owner)
          .select(({ fn }) =>
            fn
              .countAll<number>()
              .filterWhere('a2a_tasks.state', 'in', ['working', 'input-required', 'auth-required'])
              .as('ofOwner'),
          )
          .select(({ fn }) =>
            fn.count<number>('a2a_push_targets.place').filterWhere('a2a_push_targets.task', '=', task.id).as('ofTask'),
          )
          .executeTakeFirstOrThrow()
        if (Number(ofTask) >= max.ofTask || Number(ofOwner) >= max.ofOwner) throw a2aErrors.a2a_push_full()
        const { place } = await tx
          .insertInto('a2a_push_targets')
          .values({
            owner: task.owner,
            task: task.id,
            id,
            url,
            secret,
            ...maker,
          })
          .returning('place')
          .executeTakeFirstOrThrow()
        const now = await tx.selectFrom('a2a_tasks').selectAll().where('id', '=', task.id).executeTakeFirst()
        if (!now || now.state === 'working') return
        await tx
          .insertInto('a2a_notifications')
          .values({ target: place, snapshot: JSON.stringify(now) })
          .execute()
        await notices.wake(String(place), { tx })
      })
      return { id, taskId: task.id, url }
    },
    /** Throws `a2a_push_unknown`. */
    async find(task: Task, id: string): Promise<PushRecord> {
      const found = await records(task).where('id', '=', id).executeTakeFirst()
      if (!found) throw a2aErrors.a2a_push_unknown()
      return found
    },
    list: (task: Task): Promise<readonly PushRecord[]> => records(task).orderBy('place').execute(),
    async remove({ id: task }: Task, id: string): Promise<void> {
      await write(
        async tx => {
          const gone = tx.selectFrom('a2a_push_targets').select('place').where('task', '=', task).where('id', '=', id)
          await tx.deleteFrom('a2a_notifications').where('target', 'in', gone).execute()
          await tx.deleteFrom('a2a_push_targets').where('task', '=', task).where('id', '=', id).execute()
        },
        { scrub: true },
      )
    },
    /** Notifies the receivers of a task, within the write that changes it. */
    async settled(...[given, task]: Parameters<OnSettled>): Promise<void> {
      const tx = camelCaseTransaction<A2aTables>(given)
      const targets = await runFixed(tx, targetsOfTask, { task: task.id })
      for (const { place } of targets) {
        await tx
          .insertInto('a2a_notifications')
          .values({ target: place, snapshot: JSON.stringify(task) })
          .execute()
        await notices.wake(String(place), { tx })
      }
    },
  }
}

/** Receivers of push notifications: each gets a task as it is when it ends or needs input. */
export type PushService = ReturnType<typeof createPushService>

const targetsOfTask: FixedStatement<A2aTables, { readonly task: string }, { readonly place: number }> = (tx, value) =>
  tx.selectFrom('a2a_push_targets').select('place').where('task', '=', value('task'))

interface DeliveryParts {
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
const deliverNotification = async (
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
