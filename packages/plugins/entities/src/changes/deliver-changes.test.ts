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
import { type DeliveryDependencies, deliverChanges, givenUpAfterMs } from './deliver-changes.ts'
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
  await store.insert(webhook, {
    holder: webhook.owner,
    origin: undefined,
    network: undefined,
    ofAll: 1,
    ofOrigin: 1,
    ofSite: 1,
  })
  const clock = { at: 1_000_000, now: () => clock.at }
  const parts: DeliveryDependencies = {
    store,
    feed: createChangeFeed(storage),
    identity: { did: 'did:key:zNow', sign: async bytes => bytes },
    grants: { check: async actor => ({ holds: true, actor }), isOfOperator: () => false },
    clock,
    fetch: guardedFetch,
    allowPrivate: true,
    ...changes,
  }
  return { store, clock, deliver: (signal = never) => deliverChanges(parts, 'w', { signal }) }
}

test('delivers all pending changes in order and stores the progress', async () => {
  const seen: string[] = []
  const { deliver, store } = await setUp(async (request, response) => {
    seen.push(JSON.parse((await request.setEncoding('utf8').toArray()).join('')).data.did)
    response.end('thank you')
  })
  expect(await deliver()).toBe('done')
  expect(seen).toEqual([1, 2, 3].map(entityDid))
  expect(await store.find('w')).toMatchObject({ position: { sequence: 3 }, failures: 0, deliveredAt: 1_000_000 })
  expect(await deliver()).toBe('done')
  expect(seen).toHaveLength(3)
})

test('a call with an outdated position stores no progress', async () => {
  const { deliver, store } = await setUp(async (_, response) => {
    await store.progress('w', firstPosition, { transaction: 0, sequence: 2 })
    response.end()
  })
  expect(await deliver()).toBe('more')
  expect(await store.find('w')).toMatchObject({ position: { sequence: 2 }, deliveredAt: undefined })
})

test('retries a failure after a growing pause, and not before', async () => {
  let requests = 0
  const { deliver, store, clock } = await setUp((_, response) => {
    requests += 1
    response.writeHead(503).end()
  })
  const since = clock.at
  for (const pause of [5_000, 10_000, 20_000]) {
    const againAt = clock.at + pause
    const result = (await deliver()) as { readonly againAt: number }
    expect(result.againAt).toBeGreaterThanOrEqual(clock.at + pause * 0.8)
    expect(result.againAt).toBeLessThanOrEqual(againAt)
    const before = requests
    expect(await deliver()).toEqual(result)
    expect(requests).toBe(before)
    clock.at = result.againAt
  }
  expect(await store.find('w')).toMatchObject({ failures: 3, failingSince: since, position: firstPosition })
})

test('gives up after three days without a delivery, and not earlier', async () => {
  const { deliver, store, clock } = await setUp((_, response) => response.writeHead(500).end())
  await deliver()
  clock.at += givenUpAfterMs - 1
  await deliver()
  expect(await store.find('w')).toMatchObject({ state: 'active', failures: 2 })
  clock.at += 3_600_000
  expect(await deliver()).toBe('done')
  expect(await store.find('w')).toMatchObject({ state: 'given-up', failures: 3, nextTryAt: undefined })
  expect(await deliver()).toBe('done')
})

test('a delivery ends a series of failures', async () => {
  let requests = 0
  const { deliver, store, clock } = await setUp((_, response) => {
    requests += 1
    response.writeHead(requests === 2 ? 200 : 500).end()
  })
  await deliver()
  clock.at += 5_000
  await deliver()
  expect(await store.find('w')).toMatchObject({ failures: 1, failingSince: clock.at, position: { sequence: 1 } })
})

test.each([
  ['is silent', {}, /did not answer within 0\.1 s/],
  ['is private, where that is not allowed', { allowPrivate: false }, /is not a public address/],
  [
    'was registered under another key',
    { identity: { did: 'did:key:zOther', sign: async () => new Uint8Array() } },
    /signing key has changed/,
  ],
])('a receiver that %s has not accepted a change', async (_, changes, reason) => {
  const { deliver, store } = await setUp(() => {}, {
    fetch: (url, request) => guardedFetch(url, { ...request, timeLimitMs: 100 }),
    ...changes,
  })
  await deliver()
  expect(await store.find('w')).toMatchObject({ failures: 1, lastFailure: expect.stringMatching(reason) })
})

test('a process that stops is not a failure of the receiver', async () => {
  const stopping = new AbortController()
  const { deliver, store } = await setUp(() => stopping.abort(new Error('the oracle ends')))
  await expect(deliver(stopping.signal)).rejects.toThrow('the oracle ends')
  expect(await store.find('w')).toMatchObject({ failures: 0, position: firstPosition })
})
