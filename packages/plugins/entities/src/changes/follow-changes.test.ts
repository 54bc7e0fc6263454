import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Change } from './change.ts'
import type { ChangeFeed } from './change-feed.ts'
import { ChangeSignal } from './change-signal.ts'
import { maxFollowers } from './changes-route.ts'
import { followChanges } from './follow-changes.ts'
import { eventReader, followedOracle } from './followed-oracle.test.helper.ts'

let oracle: Awaited<ReturnType<typeof followedOracle>>

beforeAll(async () => {
  oracle = await followedOracle()
})

afterAll(() => oracle[Symbol.asyncDispose]())

describe('GET /v1/changes', () => {
  test('sends each change as it happens, and none of the earlier ones', async () => {
    await oracle.create()
    const follower = await oracle.follow()
    const next = follower.next()
    const did = await oracle.create('CookStove', { properties: { serial: 'a secret' } })
    const event = await next
    expect(event).toEqual({
      id: expect.stringMatching(/^\d+-\d+$/),
      data: {
        did,
        type: 'CookStove',
        kind: 'created',
        version: 1,
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        by: oracle.app.identity.publicDid,
      },
    })
    await follower.leave()
  })

  test('resumes after the last received event, without loss or duplicates', async () => {
    const follower = await oracle.follow()
    const dids = [await oracle.create(), await oracle.create(), await oracle.create()]
    const first = await follower.next()
    expect(first?.data.did).toBe(dids[0])
    await follower.leave()
    dids.push(await oracle.create())
    const again = await oracle.follow('', first?.id)
    const rest = [await again.next(), await again.next(), await again.next()]
    expect(rest.map(event => event?.data.did)).toEqual(dids.slice(1))
    await again.leave()
  })

  test('begins at the first change for 0-0', async () => {
    const follower = await oracle.follow('', '0-0')
    expect((await follower.next())?.data.version).toBe(1)
    await follower.leave()
  })

  test('sends only selected changes: of a type, a protocol, an entity', async () => {
    const protocol = await oracle.create('Protocol', { properties: { fuel: 'string' }, relationships: {} })
    const from = await oracle.follow()
    await oracle.create('Kiln')
    const stove = await oracle.create('Stove', { protocol, properties: { fuel: 'wood' } })
    await oracle.create('Kiln')
    const start = (await from.next())!.id
    await from.leave()
    for (const query of [
      'type=Stove',
      `protocol=${protocol}`,
      `protocol=${encodeURIComponent(protocol)}`,
      `did=${encodeURIComponent(stove)}`,
    ]) {
      const follower = await oracle.follow(`?${query}`, start)
      expect((await follower.next())?.data.did).toBe(stove)
      await follower.leave()
    }
    expect((await oracle.request('/v1/changes?did=nonsense')).status).toBe(400)
  })

  test('accepts callers with read access', async () => {
    expect((await oracle.app.request('/v1/changes')).status).toBe(401)
    const wrong = await oracle.app.request('/v1/changes', { headers: { authorization: 'Bearer wrong-key-0123456789' } })
    expect(wrong.status).toBe(401)
  })

  test.each(['nonsense', '0-999999999', '999999999-0'])('rejects the event id %s', async id => {
    const response = await oracle.request('/v1/changes', { headers: { 'last-event-id': id } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'event_id_invalid' })
  })

  test('limits the connections of a caller, and forgets those that left', async () => {
    expect((await oracle.request('/v1/changes', { method: 'HEAD' })).status).toBe(200)
    const open = await Promise.all(Array.from({ length: maxFollowers.perHolder }, () => oracle.follow()))
    const tooMany = await oracle.request('/v1/changes')
    expect(tooMany.status).toBe(429)
    expect(await tooMany.json()).toMatchObject({ code: 'too_many_followers' })
    const elsewhere = await oracle.request('/v1/changes', { as: 'other' })
    expect(elsewhere.status).toBe(200)
    await elsewhere.body?.cancel()
    for (const follower of open) await follower.leave()
    await (await oracle.follow()).leave()
  })
})

test('connections end when the oracle does, over a socket', async () => {
  await using ending = await followedOracle()
  const { url } = await ending.app.listen({ port: 0 })
  const response = await fetch(`${url}/v1/changes`, { headers: { authorization: 'Bearer reader-key-0123456789' } })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const follower = eventReader(response)
  const did = await ending.create()
  expect((await follower.next())?.data.did).toBe(did)
  const over = follower.next()
  await ending.app.close()
  expect(await over).toBeUndefined()
})

describe('a follower', () => {
  const change = (sequence: number): Change => ({
    position: { transaction: 0, sequence },
    entityId: 'x',
    did: `did:web:a:entities:${sequence}`,
    type: 'Device',
    protocol: undefined,
    kind: 'created',
    version: 1,
    at: 0,
    by: 'did:web:a',
  })
  const feedOf = (pages: number) => {
    const read: number[] = []
    const feed: ChangeFeed = {
      async read({ sequence }) {
        read.push(sequence)
        return sequence < pages
          ? { changes: [change(sequence + 1)], isFull: true, isHeldBack: false }
          : { changes: [], isFull: false, isHeldBack: false }
      },
      tip: async () => ({ transaction: 0, sequence: pages }),
    }
    return { feed, read }
  }
  const parts = { signal: new ChangeSignal(), lookMs: 60_000, heartbeatMs: 60_000, lifeMs: 60_000 }
  const start = { transaction: 0, sequence: 0 }
  const { signal: never } = new AbortController()

  test('hears a heartbeat, which moves on past what is not wanted', async () => {
    const { feed } = feedOf(3)
    const texts = followChanges({ ...parts, feed, heartbeatMs: 5 }, { type: 'Stove' }, start, never)
    expect((await texts.next()).value).toBe('retry: 1000\nid: 0-0\n\n')
    let text = ''
    while (!text.includes('0-3')) text = (await texts.next()).value ?? ''
    expect(text).toBe(': ping\nid: 0-3\n\n')
    await texts.return()
  })

  test('is disconnected after a while, and has to authenticate again', async () => {
    const { feed } = feedOf(1)
    let text = ''
    for await (const frame of followChanges({ ...parts, feed, lifeMs: 500, lookMs: 1 }, {}, start, never)) text += frame
    expect(text).toContain('id: 0-1')
  })
})
