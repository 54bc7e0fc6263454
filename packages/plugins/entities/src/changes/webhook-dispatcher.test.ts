import { silentLogger } from '@sibyl/testing'
import { afterEach, expect, test } from 'vitest'
import type { Change } from './change.ts'
import type { ChangeFeed } from './change-feed.ts'
import { ChangeSignal } from './change-signal.ts'
import { createWebhookDispatcher, type DispatcherDependencies, type WebhookDispatcher } from './webhook-dispatcher.ts'
import type { Webhook, WebhookStore } from './webhook-store.ts'

const place = (sequence: number) => ({ transaction: 0, sequence })

const changeAt = (sequence: number, type = 'Device'): Change => ({
  position: place(sequence),
  entityId: 'x',
  did: 'did:web:a:entities:x',
  type,
  protocol: undefined,
  kind: 'created',
  version: 1,
  at: 0,
  by: 'did:web:a',
})

const webhookAt = (id: string, sequence: number, changes: Partial<Webhook> = {}): Webhook => ({
  id,
  owner: 'did:web:a',
  maker: undefined,
  url: 'https://a.example/',
  filters: {},
  signer: 'did:key:z',
  state: 'active',
  position: place(sequence),
  failures: 0,
  failingSince: undefined,
  nextTryAt: undefined,
  lastFailure: undefined,
  deliveredAt: undefined,
  createdAt: 0,
  ...changes,
})

let dispatcher: WebhookDispatcher | undefined
afterEach(() => dispatcher?.stop())

/** A dispatcher over webhooks and changes, and the calls of `wake` one by one. */
const start = (webhooks: Webhook[], changes: Change[]) => {
  const calls: string[] = []
  let heard = Promise.withResolvers<void>()
  const signal = new ChangeSignal()
  const feed: ChangeFeed = {
    read: async ({ sequence }) => ({
      changes: changes.filter(({ position }) => position.sequence > sequence),
      isFull: false,
      isHeldBack: false,
    }),
    tip: async () => changes.at(-1)?.position ?? place(0),
  }
  const parts: DispatcherDependencies = {
    store: { list: async () => webhooks } as unknown as WebhookStore,
    feed,
    signal,
    wake: async id => {
      calls.push(id)
      heard.resolve()
    },
    log: silentLogger,
  }
  dispatcher = createWebhookDispatcher(parts)
  return {
    dispatcher,
    signal,
    /** The calls once there are so many. */
    async calls(count: number) {
      while (calls.length < count) {
        await heard.promise
        heard = Promise.withResolvers()
      }
      return calls
    },
  }
}

test('wakes the webhooks that select the new changes after a ring', async () => {
  const changes = [changeAt(1)]
  const webhooks = [
    webhookAt('all', 1),
    webhookAt('stoves', 1, { filters: { type: 'Stove' } }),
    webhookAt('failing', 0, { failures: 2 }),
    webhookAt('behind', 0),
  ]
  const { signal, calls } = start(webhooks, changes)
  signal.ring()
  expect((await calls(2)).splice(0)).toEqual(['failing', 'behind'])
  changes.push(changeAt(2))
  signal.ring()
  expect((await calls(2)).splice(0)).toEqual(['all', 'behind'])
  changes.push(changeAt(3, 'Stove'))
  signal.ring()
  expect(await calls(3)).toEqual(['all', 'stoves', 'behind'])
})

test('a sweep wakes all webhooks that are behind, including failing ones', async () => {
  const { dispatcher: sweeping, calls } = start(
    [webhookAt('even', 1), webhookAt('failing', 0, { failures: 2 })],
    [changeAt(1)],
  )
  await sweeping.sweep()
  expect(await calls(1)).toEqual(['failing'])
})
