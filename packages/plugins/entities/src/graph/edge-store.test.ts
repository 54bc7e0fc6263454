import type { Storage } from '@sibyl/storage'
import { expect, it } from 'vitest'
import type { Edge } from '../records/entity-change.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { createEdgeStore } from './create-edge-store.ts'

const edge = (text: string): Edge => {
  const [from = '', relationship = '', to = ''] = text.split(' ')
  return { from, relationship, to }
}

await onEachEngine('edges', ({ name, open }) => {
  const add = async (storage: Storage<EntitiesTables>, ...edges: string[]) => {
    await storage.write(tx => createEdgeStore(storage).insert(edges.map(edge), 1, tx))
  }
  const all = async (storage: Storage<EntitiesTables>) => {
    const rows = await storage.read.selectFrom('entities_edges').selectAll().execute()
    return rows.map(row => `${row.from_node} ${row.relationship} ${row.to_node}`).sort()
  }

  it('are added once, taken away, and found by where they begin', async () => {
    const storage = await open()
    const store = createEdgeStore(storage)
    await add(storage, 'a partOf b', 'a partOf c', 'a verifier d', 'b partOf c', 'a partOf d')
    await add(storage, 'a partOf b')
    await storage.write(tx => store.remove([edge('a partOf c'), edge('b verifier c')], tx))
    expect(await all(storage)).toEqual(['a partOf b', 'a partOf d', 'a verifier d', 'b partOf c'])
    expect(await store.outgoing(['a', 'b', 'c'], 10)).toEqual(
      new Map([
        ['a', { partOf: ['b', 'd'], verifier: ['d'] }],
        ['b', { partOf: ['c'] }],
      ]),
    )
    expect(await store.outgoing(['a'], 1)).toEqual(new Map([['a', { partOf: ['b'], verifier: ['d'] }]]))
    expect(await store.outgoing([], 1)).toEqual(new Map())
  })

  it('that close a circle of their own relationship are told, and no others', async () => {
    const storage = await open()
    const store = createEdgeStore(storage)
    await add(storage, 'a partOf b', 'b partOf c', 'c subDomainOf a', 'x partOf c')
    const closing = (...edges: string[]) =>
      storage.write(async tx => {
        await store.insert(edges.map(edge), 1, tx)
        return await store.closing(edges.map(edge), tx)
      })
    expect(await closing('c subDomainOf b', 'x partOf a')).toEqual([])
    expect(await closing('c partOf y', 'c partOf z')).toEqual([])
    expect(await closing('c partOf w', 'c partOf a', 'z partOf c')).toEqual([edge('c partOf a'), edge('z partOf c')])
  })

  it('refuses an edge behind which more lies than can be walked through', async () => {
    const storage = await open()
    const store = createEdgeStore(storage)
    const chain = Array.from({ length: 10_050 }, (_, at) => `n${at} partOf n${at + 1}`)
    await add(storage, ...chain)
    const closing = await storage.write(async tx => [
      ...(await store.closing([edge('x partOf n0')], tx)),
      ...(await store.closing([edge('y partOf n100')], tx)),
    ])
    expect(closing).toEqual([edge('x partOf n0')])
  })

  for (const isolation of ['serializable', 'read committed'] as const) {
    it(`never closes a circle when opposite edges are written at the same time (${isolation})`, async () => {
      const storage = await open()
      const store = createEdgeStore(storage)
      const attempt = async (text: string, meet: () => Promise<void>): Promise<boolean> => {
        const edges = [edge(text)]
        const work = async (tx: Parameters<Parameters<typeof storage.write>[0]>[0]) => {
          await store.insert(edges, 1, tx)
          await meet()
          const closing = await store.closing(edges, tx)
          if (closing.length > 0) throw new Error('a circle')
        }
        return await storage.write(work, { isolation }).then(
          () => true,
          () => false,
        )
      }
      for (let round = 0; round < 5; round += 1) {
        const meet = name === 'postgres' ? meeting(2) : async () => {}
        const results = await Promise.all([
          attempt(`l${round} partOf r${round}`, meet),
          attempt(`r${round} partOf l${round}`, meet),
        ])
        expect(results.filter(Boolean)).toHaveLength(1)
      }
      expect(await all(storage)).toHaveLength(5)
    })
  }
})

/** Lets so many wait for each other, the first time that they come. */
const meeting = (count: number): (() => Promise<void>) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let came = 0
  return async () => {
    came += 1
    if (came >= count) resolve()
    await promise
  }
}
