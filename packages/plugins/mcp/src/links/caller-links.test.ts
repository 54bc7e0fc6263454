import type { Actor } from '@sibyl/plugin'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCallerLinks } from './caller-links.ts'
import type { ServerLink } from './server-link.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const actorOf = (did: string): Actor => ({ did, via: 'ucan', scopes: [] })

const open = () => {
  const closed: string[] = []
  /** Who has a call open. */
  const busy = new Set<string>()
  const links = createCallerLinks({
    server: 'files',
    identity: { kind: 'caller', audience: 'a', resource: 'r', abilities: ['x/y'] },
    mint: async () => 'token',
    connect: did =>
      ({
        connection: {
          get openCalls() {
            return busy.has(did) ? 1 : 0
          },
        },
        close: async () => void closed.push(did),
      }) as unknown as ServerLink,
  })
  return { links, closed, busy }
}

test('the connection unused for longest makes room', async () => {
  const { links, closed } = open()
  for (let n = 0; n < 50; n += 1) await links.of(actorOf(`did:${n}`))
  const first = await links.of(actorOf('did:0'))
  expect(closed).toEqual([])
  await links.of(actorOf('did:50'))
  expect(closed).toEqual(['did:1'])
  expect(links.peek('did:0')).toBe(first)
  expect(links.all).toHaveLength(50)
})

test('one that is unused for ten minutes is closed', async () => {
  const { links, closed } = open()
  await links.of(actorOf('did:1'))
  vi.advanceTimersByTime(599_000)
  await links.of(actorOf('did:1'))
  vi.advanceTimersByTime(599_000)
  expect(closed).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(closed).toEqual(['did:1'])
})

test('one with an open call is kept, for others and beyond its time', async () => {
  const { links, closed, busy } = open()
  busy.add('did:0')
  for (let n = 0; n <= 50; n += 1) await links.of(actorOf(`did:${n}`))
  expect(closed).toEqual(['did:1'])
  vi.advanceTimersByTime(600_000)
  expect(closed).toHaveLength(50)
  expect(links.peek('did:0')).toBeDefined()
  busy.delete('did:0')
  vi.advanceTimersByTime(600_000)
  expect(links.all).toEqual([])
})

test('connections that were all closed are made again at their next use', async () => {
  const { links, closed } = open()
  for (const did of ['did:1', 'did:2']) await links.of(actorOf(did))
  await links.dropAll()
  expect(closed).toEqual(['did:1', 'did:2'])
  await links.of(actorOf('did:1'))
  expect(links.all).toHaveLength(1)
})

test('at the end all are closed, and none is made any more', async () => {
  const { links, closed } = open()
  await links.of(actorOf('did:1'))
  await links.of(actorOf('did:2'))
  await links.close()
  expect(closed).toEqual(['did:1', 'did:2'])
  await expect(links.of(actorOf('did:3'))).rejects.toThrow('The oracle is shutting down')
})
