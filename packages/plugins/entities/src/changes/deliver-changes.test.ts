import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { guardedFetch } from '@sibyl/plugin/outbound'
import { openStorage } from '@sibyl/storage'
import { afterEach, expect, test } from 'vitest'
import { entitiesMigrations } from '../storage/entities-migrations.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { firstPosition } from './change.ts'
import { createChangeFeed } from './change-feed.ts'
import { type DeliveryDependencies, deliverChanges, givenUpAfterMs, pauseAfter } from './deliver-changes.ts'
import { entityDid, insertChanges } from './stored-changes.test.helper.ts'
import { createWebhookStore } from './webhook-store.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const { signal: never } = new AbortController()

/** A webhook whose receiver answers as told, three changes that it wants, and a clock that stands still. */
const setUp = async (receiver: RequestListener, changes: Partial<DeliveryDependencies> = {}) => {
  const server = createServer(receiver).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const storage = (await openStorage({ url: 'memory:' })).for<EntitiesTables>()
  closing.push(() => storage.close())
  await storage.migrate('entities', entitiesMigrations)
  await insertChanges(storage, [1, 2, 3])
  const store = createWebhookStore(storage)
  const webhook = {
    id: 'w',
    owner: 'did:web:a',
    maker: undefined,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    filters: {},
    signer: 'did:key:zNow',
    position: firstPosition,
    createdAt: 0,
  }
  await store.insert(webhook, { holder: webhook.owner, origin: undefined, ofAll: 1, ofOrigin: 1 })
  const clock = { at: 1_000_000, now: () => clock.at }
  const taken: { readonly run: number; readonly runAt: number | undefined }[] = []
  const parts: DeliveryDependencies = {
    store,
    feed: createChangeFeed(storage),
    identity: { did: 'did:key:zNow', sign: async bytes => bytes },
    grants: { check: async actor => ({ holds: true, actor }), isOfOperator: () => false },
    clock,
    fetch: guardedFetch,
    allowPrivate: true,
    enqueue: async (_, run, { runAt } = {}) => {
      taken.push({ run, runAt })
      return { created: true }
    },
    ...changes,
  }
  return { store, clock, taken, deliver: (run: number, signal = never) => deliverChanges(parts, 'w', run, { signal }) }
}

test('all that is there is delivered by one run, and how far it came is kept', async () => {
  const seen: string[] = []
  const { deliver, store, taken } = await setUp(async (request, response) => {
    seen.push(JSON.parse((await request.setEncoding('utf8').toArray()).join('')).data.did)
    response.end('thank you')
  })
  await deliver(1)
  expect(seen).toEqual([1, 2, 3].map(entityDid))
  expect(await store.find('w')).toMatchObject({
    position: { sequence: 3 },
    run: 1,
    failures: 0,
    deliveredAt: 1_000_000,
  })
  await deliver(1)
  expect(seen).toHaveLength(3)
  expect(taken).toEqual([])
})

test('a failure is left to the next run, later each time, and an earlier run stops', async () => {
  let requests = 0
  const { deliver, store, taken, clock } = await setUp((_, response) => {
    requests += 1
    response.writeHead(503).end()
  })
  await deliver(1)
  await deliver(1)
  expect(requests).toBe(1)
  expect(await store.find('w')).toMatchObject({ run: 2, failures: 1, failingSince: clock.at, position: firstPosition })
  await deliver(2)
  expect(taken.map(({ run }) => run)).toEqual([2, 3])
  const pauses = taken.map(({ runAt }) => runAt! - clock.at)
  expect(pauses[0]).toBeGreaterThanOrEqual(5_000)
  expect(pauses[1]).toBeGreaterThanOrEqual(10_000)
})

test('after three days in vain it is given up, and not a moment before', async () => {
  const { deliver, store, taken, clock } = await setUp((_, response) => response.writeHead(500).end())
  await deliver(1)
  clock.at += givenUpAfterMs - 1
  await deliver(2)
  expect(await store.find('w')).toMatchObject({ state: 'active', failures: 2 })
  clock.at += 1
  await deliver(3)
  expect(await store.find('w')).toMatchObject({ state: 'given-up', failures: 3, nextTryAt: undefined })
  await deliver(3)
  expect(taken).toHaveLength(2)
})

test('one success ends a row of failures', async () => {
  let requests = 0
  const { deliver, store } = await setUp((_, response) => {
    requests += 1
    response.writeHead(requests === 2 ? 200 : 500).end()
  })
  await deliver(1)
  await deliver(2)
  expect(await store.find('w')).toMatchObject({ failures: 1, run: 3, position: { sequence: 1 } })
})

test.each([
  ['is silent', {}, /did not answer within 0\.1 s/],
  ['is private, where that is not allowed', { allowPrivate: false }, /is not a public address/],
  [
    'was registered under another key',
    { identity: { did: 'did:key:zOther', sign: async () => new Uint8Array() } },
    /signing key has changed/,
  ],
])('a receiver that %s has not taken it', async (_, changes, reason) => {
  const { deliver, store } = await setUp(() => {}, {
    fetch: (url, request) => guardedFetch(url, { ...request, timeLimitMs: 100 }),
    ...changes,
  })
  await deliver(1)
  expect(await store.find('w')).toMatchObject({ failures: 1, lastFailure: expect.stringMatching(reason) })
})

test('a process that ends counts as no failure of the receiver', async () => {
  const stopping = new AbortController()
  const { deliver, store } = await setUp(() => stopping.abort(new Error('the oracle ends')))
  await expect(deliver(1, stopping.signal)).rejects.toThrow('the oracle ends')
  expect(await store.find('w')).toMatchObject({ failures: 0, run: 1 })
})

test('the pause grows to an hour', () => {
  expect([1, 2, 3, 10, 11, 50].map(failures => pauseAfter(failures, 0))).toEqual([
    5_000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000,
  ])
  expect(pauseAfter(1, 1)).toBe(6_250)
})
