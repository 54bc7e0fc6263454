import type { CountedActor } from '@sibyl/protocol'
import { expect, test } from 'vitest'
import { makeShareOf } from './limit-shares.ts'
import type { Place } from './places.ts'
import { makeLine } from './waiting-line.ts'

const open = makeShareOf({ access: 'open', percent: 25, isTrusted: () => false })
const delegated = makeShareOf({ access: 'delegated', percent: 25, isTrusted: () => false })
const { signal } = new AbortController()
const limits = { running: 2, waiting: 3, waitingPerHolder: 2 }

const actor = (name: string, origin?: string): CountedActor => ({
  did: `did:key:${name}`,
  via: 'ucan',
  origin,
})

const placeOf = async (entering: Promise<Place | { readonly full: string }>): Promise<Place> => {
  const place = await entering
  if ('full' in place) throw new Error(`no place: ${place.full}`)
  return place
}

test('one of a holder runs at a time, and the last one waits behind the others', async () => {
  const line = makeLine(limits, delegated)
  const order: string[] = []
  const enter = async (name: string, as: string) => {
    const place = await placeOf(line.enter(actor(name), signal))
    order.push(as)
    return place
  }
  const first = await enter('a', 'a1')
  const second = enter('a', 'a2')
  const other = await enter('b', 'b1')
  const third = enter('c', 'c1')
  expect(order).toEqual(['a1', 'b1'])
  first.release()
  ;(await third).release()
  ;(await second).release()
  other.release()
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2'])
})

test('a re-delegation to a fresh key waits as its holder', async () => {
  const line = makeLine(limits, delegated)
  const as = (name: string): CountedActor => ({ ...actor(name), holder: 'did:key:holder' })
  await placeOf(line.enter(as('one'), signal))
  void line.enter(as('two'), signal)
  void line.enter(as('three'), signal)
  expect(await line.enter(as('four'), signal)).toEqual({ full: 'holder' })
})

test('one address with many DIDs neither takes all places nor all of the line', async () => {
  const line = makeLine({ running: 2, waiting: 12, waitingPerHolder: 2 }, open)
  await placeOf(line.enter(actor('a1', 'a'), signal))
  const waiting = ['a2', 'a3', 'a4'].map(name => line.enter(actor(name, 'a'), signal))
  expect(await line.enter(actor('a5', 'a'), signal)).toEqual({ full: 'origin' })
  const other = await placeOf(line.enter(actor('b1', 'b'), signal))
  other.release()
  await placeOf(line.enter(actor('b2', 'b'), signal))
  expect(waiting).toHaveLength(3)
})

test('the address that ran last waits behind the others, whichever of its DIDs comes next', async () => {
  const line = makeLine({ running: 1, waiting: 40, waitingPerHolder: 2 }, open)
  const first = await placeOf(line.enter(actor('a1', 'a'), signal))
  const order: string[] = []
  const waiting = ['a2', 'a3', 'b1'].map(async name => {
    const place = await placeOf(line.enter(actor(name, name[0]), signal))
    order.push(name)
    place.release()
  })
  first.release()
  await Promise.all(waiting)
  expect(order).toEqual(['b1', 'a2', 'a3'])
})

test('too many of one holder, and too many of all, are rejected immediately', async () => {
  const line = makeLine({ ...limits, running: 1 }, delegated)
  const running = await placeOf(line.enter(actor('a'), signal))
  const waiting = [line.enter(actor('a'), signal), line.enter(actor('a'), signal)]
  expect(await line.enter(actor('a'), signal)).toEqual({ full: 'holder' })
  waiting.push(line.enter(actor('b'), signal))
  expect(await line.enter(actor('c'), signal)).toEqual({ full: 'all' })
  running.release()
  for (const next of [waiting[2]!, waiting[0]!, waiting[1]!]) (await placeOf(next)).release()
  ;(await placeOf(line.enter(actor('c'), signal))).release()
})

test('concurrent ones are admitted up to the limit', async () => {
  const line = makeLine({ running: 4, waiting: 1, waitingPerHolder: 1 }, delegated)
  const entered = await Promise.all(['a', 'b', 'c', 'd'].map(name => line.enter(actor(name), signal)))
  expect(entered.filter(place => 'full' in place)).toEqual([])
})

test('one that waits too long gets an error, and one that is canceled leaves the queue', async () => {
  const hasty = makeLine({ ...limits, running: 1, waitMs: 1 }, delegated)
  const running = await placeOf(hasty.enter(actor('a'), signal))
  expect(await hasty.enter(actor('b'), signal)).toEqual({ full: 'late' })
  running.release()
  const line = makeLine({ ...limits, running: 1 }, delegated)
  const place = await placeOf(line.enter(actor('a'), signal))
  const stop = new AbortController()
  const waiting = line.enter(actor('b'), stop.signal)
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  await expect(line.enter(actor('b'), stop.signal)).rejects.toThrow('stopped')
  place.release()
  ;(await placeOf(line.enter(actor('c'), signal))).release()
})

test('one that is canceled at its admission takes no place', async () => {
  const line = makeLine({ ...limits, running: 1 }, delegated)
  const stop = new AbortController()
  const entering = line.enter(actor('a'), stop.signal)
  const waiting = line.enter(actor('b'), signal)
  stop.abort(new Error('stopped'))
  ;(await placeOf(entering)).release()
  ;(await placeOf(waiting)).release()
})
