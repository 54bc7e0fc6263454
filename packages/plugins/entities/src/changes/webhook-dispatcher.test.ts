import { silentLogger } from '@sibyl/testing'
import { afterEach, expect, test } from 'vitest'
import type { Change } from './change.ts'
import type { ChangeFeed } from './change-feed.ts'
import { ChangeSignal } from './change-signal.ts'
import { type DispatcherDependencies, WebhookDispatcher } from './webhook-dispatcher.ts'
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
  run: 1,
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

/** A dispatcher over webhooks and changes, and the calls of `enqueue` one by one. */
const start = (webhooks: Webhook[], changes: Change[], answers: boolean[] = []) => {
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
    enqueue: async (id, run) => {
      calls.push(`${id}:${run}`)
      heard.resolve()
      return answers.shift() ?? true
    },
    log: silentLogger,
  }
  dispatcher = new WebhookDispatcher(parts)
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

test('after a ring the job of each webhook is taken in that wants what is new', async () => {
  const changes = [changeAt(1)]
  const webhooks = [
    webhookAt('all', 1),
    webhookAt('stoves', 1, { filters: { type: 'Stove' }, run: 4 }),
    webhookAt('failing', 0, { failures: 2 }),
    webhookAt('behind', 0),
  ]
  const { signal, calls } = start(webhooks, changes)
  signal.ring()
  expect(await calls(1)).toEqual(['behind:1'])
  changes.push(changeAt(2))
  signal.ring()
  expect((await calls(3)).slice(1)).toEqual(['all:1', 'behind:1'])
  changes.push(changeAt(3, 'Stove'))
  signal.ring()
  expect((await calls(6)).slice(3)).toEqual(['all:1', 'stoves:4', 'behind:1'])
})

test('a webhook whose job was busy is checked again, until its change is delivered', async () => {
  const webhooks = [webhookAt('busy', 0), webhookAt('done', 0)]
  const { signal, calls } = start(webhooks, [changeAt(1)], [false, false])
  signal.ring()
  expect(await calls(2)).toEqual(['busy:1', 'done:1'])
  webhooks[1] = webhookAt('done', 1)
  expect((await calls(3)).slice(2)).toEqual(['busy:1'])
})

test('a sweep takes in the jobs of all that are behind, failing ones too', async () => {
  const { dispatcher: sweeping, calls } = start(
    [webhookAt('even', 1), webhookAt('failing', 0, { failures: 2 })],
    [changeAt(1)],
  )
  await sweeping.sweep()
  expect(await calls(1)).toEqual(['failing:1'])
})
