import { beforeEach, expect, test, vi } from 'vitest'
import { type Cache, createCache } from './weather-lookup.ts'

let now: number
let cache: Cache<string>

beforeEach(() => {
  now = 1_000_000
  cache = createCache({ clock: { now: () => now }, lifetimeMs: 1000, maxEntries: 2 })
})

const loader = (value: string) => vi.fn(async () => value)

test('a value is loaded once while it lives', async () => {
  const load = loader('a')
  await cache.get('a', load)
  now += 999
  expect(await cache.get('a', load)).toBe('a')
  expect(load).toHaveBeenCalledTimes(1)
})

test('a value is loaded again when its time is over', async () => {
  await cache.get('a', loader('old'))
  now += 1000
  expect(await cache.get('a', loader('new'))).toBe('new')
})

test('all who ask while it loads share the load', async () => {
  const load = loader('a')
  await Promise.all(Array.from({ length: 10 }, () => cache.get('a', load)))
  expect(load).toHaveBeenCalledTimes(1)
})

test('its time runs from the end of the load', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const loading = cache.get('a', () => promise)
  now += 5000
  resolve('a')
  await loading
  now += 999
  expect(await cache.get('a', loader('again'))).toBe('a')
})

test('a load that fails fails for all who wait, and is not kept', async () => {
  const fail = vi.fn(async () => {
    throw new Error('no luck')
  })
  const asked = [cache.get('a', fail), cache.get('a', fail)]
  for (const result of await Promise.allSettled(asked)) expect(result.status).toBe('rejected')
  expect(fail).toHaveBeenCalledTimes(1)
  expect(await cache.get('a', loader('a'))).toBe('a')
})

test('the value unused for longest makes room', async () => {
  await cache.get('a', loader('a'))
  await cache.get('b', loader('b'))
  await cache.get('a', loader('a'))
  await cache.get('c', loader('c'))
  const [again, gone] = [loader('a'), loader('b')]
  await cache.get('a', again)
  await cache.get('b', gone)
  expect(again).not.toHaveBeenCalled()
  expect(gone).toHaveBeenCalledTimes(1)
})
