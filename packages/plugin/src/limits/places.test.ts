import type { CountedActor } from '@sibyl/protocol'
import { describe, expect, test } from 'vitest'
import { holderOf, makeOriginOf, makeShareOf, siteOf } from './limit-shares.ts'
import { makePlaces, type Place, type Places } from './places.ts'

const controller = 'did:key:z6MkController'
const share = (access: 'open' | 'delegated', percent = 25) =>
  makeShareOf({ access, percent, isTrusted: did => did === controller })
const stranger = (name: string, origin?: string): CountedActor => ({
  did: `did:key:${name}`,
  via: 'ucan',
  origin,
})
const apiKey: CountedActor = { did: 'did:key:shop', via: 'api-key' }

/** Takes places until there is none, and returns how many there were and why there is none. */
const fill = (places: Places, actorOf: (index: number) => CountedActor): [number, string] => {
  for (let count = 0; ; count += 1) {
    const place = places.take(actorOf(count))
    if ('full' in place) return [count, place.full]
  }
}

describe('places with ORACLE_ACCESS=open', () => {
  test('one address with any number of DIDs gets its share, and others get theirs', () => {
    const places = makePlaces({ capacity: 500, perHolder: 20 }, share('open'))
    expect(fill(places, () => stranger('one', 'a'))).toEqual([20, 'holder'])
    expect(fill(places, index => stranger(`fresh-${index}`, 'a'))).toEqual([105, 'origin'])
    expect(fill(places, index => stranger(`other-${index}`, 'b'))).toEqual([125, 'origin'])
    expect(fill(places, index => stranger(`third-${index}`, 'c'))).toEqual([125, 'origin'])
  })

  test('any number of addresses leave a reserve to API keys and controllers, wherever they call from', () => {
    const places = makePlaces({ capacity: 500 }, share('open'))
    expect(fill(places, index => stranger(`fresh-${index}`, `address-${index}`))).toEqual([450, 'all'])
    expect('full' in places.take({ ...stranger('x'), did: controller, origin: 'address-1' })).toBe(false)
    expect('full' in places.take({ ...stranger('y', 'address-2'), holder: controller })).toBe(false)
    expect('full' in places.take({ ...stranger('z'), grant: { apiKey: { variable: 'KEYS', name: 'z' } } })).toBe(false)
    expect(fill(places, () => apiKey)).toEqual([47, 'all'])
  })

  test('the share is what LIMIT_SHARE_PERCENT says, and at least one place', () => {
    const places = (capacity: number, percent: number) => makePlaces({ capacity }, share('open', percent))
    expect(fill(places(100, 100), index => stranger(`${index}`, 'a'))).toEqual([90, 'all'])
    expect(fill(places(100, 1), index => stranger(`${index}`, 'a'))).toEqual([1, 'origin'])
    expect(fill(places(3, 1), index => stranger(`${index}`, 'a'))).toEqual([1, 'origin'])
    expect(fill(places(3, 100), index => stranger(`${index}`, 'a'))).toEqual([3, 'origin'])
  })

  test('a network of an IPv6 site gets the share, and all networks of the site twice as much', () => {
    const originOf = makeOriginOf('open', { exportSecret: () => new Uint8Array(32) })
    const places = makePlaces({ capacity: 100 }, share('open'))
    const from = (address: string) => fill(places, index => stranger(`${address}-${index}`, originOf(address)))
    expect(from('2001:db8:1:1:0:0:0:1')).toEqual([25, 'origin'])
    expect(from('2001:db8:1:1:0:0:0:2')).toEqual([0, 'origin'])
    expect(from('2001:db8:1:2:0:0:0:1')).toEqual([25, 'origin'])
    expect(from('2001:db8:1:3:0:0:0:1')).toEqual([0, 'origin'])
    expect(from('203.0.113.7')).toEqual([25, 'origin'])
  })

  test('an actor without an origin, such as a phone, counts only by its holder', () => {
    const places = makePlaces({ capacity: 100, perHolder: 2 }, share('open'))
    expect(fill(places, () => ({ did: 'did:key:phone', via: 'ussd' }))).toEqual([2, 'holder'])
    expect(fill(places, index => ({ did: `did:key:${index}`, via: 'ussd' }))).toEqual([88, 'all'])
  })
})

test('with delegated access each holder has its places, and nothing is reserved', () => {
  const places = makePlaces({ capacity: 100, perHolder: 20 }, share('delegated'))
  expect(fill(places, index => ({ ...stranger(`fresh-${index}`), holder: 'did:key:holder' }))).toEqual([20, 'holder'])
  expect(fill(places, index => stranger(`own-${index}`))).toEqual([80, 'all'])
})

test('a place that is released is free again, once', () => {
  const places = makePlaces({ capacity: 2 }, share('delegated'))
  const first = places.take(stranger('one')) as Place
  places.take(stranger('two'))
  first.release()
  first.release()
  expect(fill(places, () => stranger('one'))).toEqual([1, 'all'])
})

test('the holder is the DID itself unless another one is named', () => {
  expect(holderOf({ did: 'did:key:a' })).toBe('did:key:a')
  expect(holderOf({ did: 'did:key:a', holder: 'did:key:b' })).toBe('did:key:b')
})

describe('an origin', () => {
  const key = (byte: number) => ({ exportSecret: () => new Uint8Array(32).fill(byte) })
  const originOf = makeOriginOf('open', key(1))

  test('is one for all addresses of a network, begins with that of the site, and reveals nothing of them without the key', () => {
    expect(originOf('203.0.113.7')).toMatch(/^[\w-]{22}$/)
    expect(originOf('203.0.113.7')).toBe(originOf('203.0.113.7'))
    expect(originOf('203.0.113.7')).not.toBe(originOf('203.0.113.8'))
    expect(originOf('2001:db8:1:2:0:0:0:1')).toBe(originOf('2001:db8:1:2:0:0:0:9'))
    expect(originOf('2001:db8:1:2:0:0:0:1')).not.toBe(originOf('2001:db8:1:3:0:0:0:9'))
    expect(siteOf(originOf('2001:db8:1:2:0:0:0:1')!)).toBe(siteOf(originOf('2001:db8:1:3:0:0:0:9')!))
    expect(originOf('2001:db8:1:2:0:0:0:1')).not.toBe(originOf('2001:db8:2:2:0:0:0:1'))
    expect(makeOriginOf('open', key(2))('203.0.113.7')).not.toBe(originOf('203.0.113.7'))
  })

  test('is undefined with delegated access, without a key and without an address', () => {
    expect(makeOriginOf('delegated', key(1))('203.0.113.7')).toBeUndefined()
    expect(makeOriginOf('open', undefined)('203.0.113.7')).toBeUndefined()
    expect(originOf(undefined)).toBeUndefined()
  })
})
