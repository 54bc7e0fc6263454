import { sql } from '@sibyl/plugin/storage'
import type { Storage } from '@sibyl/storage'
import { expect, it } from 'vitest'
import type { GraphRecord } from '../records/graph-record.ts'
import { seededNumbers } from '../records/seeded-numbers.test.helper.ts'
import type { Edge } from '../records/stored-entity.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { createEdgeStore } from './edge-store.ts'
import { didOf, idOf, putEdges, putEntities } from './graph.test.helper.ts'
import { createGraph } from './graph.ts'
import { levelStatement } from './level-edges.ts'
import type { GraphQuery } from './walk-graph.ts'

const claim = 'urn:uuid:00000000-0000-4000-8000-000000000001'
const credential = 'urn:uuid:00000000-0000-4000-8000-000000000002'
const names = ['partOf', 'generates', 'operator'] as const

/** What the graph has to answer where nothing is cut off, found without a database. */
const plainWalk = (edges: readonly Edge[], start: string, query: Omit<GraphQuery, 'from'>) => {
  const distances = new Map([[start, 0]])
  const found = new Set<string>()
  for (let distance = 1; distance <= query.depth; distance += 1) {
    const inner = new Set(distances.keys())
    for (const edge of edges) {
      if (query.relationship !== undefined && query.relationship !== edge.relationship) continue
      for (const [near, far, side] of [
        [edge.from, edge.to, 'out'],
        [edge.to, edge.from, 'in'],
      ] as const) {
        if (!inner.has(near) || (query.direction !== 'both' && query.direction !== side)) continue
        found.add(textOf(edge))
        if (!distances.has(far)) distances.set(far, distance)
      }
    }
  }
  return { distances, edges: found }
}

const textOf = ({ from, relationship, to }: Edge): string => `${from} ${relationship} ${to}`

const distancesIn = (graph: GraphRecord): Map<string, number> =>
  new Map(graph.nodes.map(node => ['did' in node ? node.did : node.uri, node.distance]))

const edge = (text: string): Edge => {
  const [from = '', relationship = '', to = ''] = text.split(' ')
  return { from, relationship, to }
}

await onEachEngine('the graph', ({ name, open }) => {
  it('is walked as a plain search in memory walks it', async () => {
    const storage = await open()
    const graph = createGraph(storage)
    const random = seededNumbers(7)
    const groups = 5
    const size = 14
    const edges = new Map<string, Edge>()
    for (let group = 0; group < groups; group += 1) {
      for (let count = random(4 * size); count > 0; count -= 1) {
        const node = () => didOf(group * size + (random(3) === 0 ? 0 : random(size)))
        const edge = { from: node(), relationship: names[random(3)]!, to: node() }
        edges.set(textOf(edge), edge)
      }
    }
    const stored = [...edges.values()]
    await putEntities(
      storage,
      Array.from({ length: groups * size }, (_, number) => ({ number })),
    )
    await putEdges(
      storage,
      stored.map(({ from, relationship, to }) => ({
        from: from.slice(-26),
        relationship,
        to: to.slice(-26),
      })),
    )
    const check = async (number: number) => {
      const query = {
        depth: 1 + random(6),
        direction: (['out', 'in', 'both'] as const)[random(3)]!,
        ...(random(2) === 0 ? { relationship: names[random(3)]! } : {}),
      }
      const answer = await graph.walk({ from: didOf(number), ...query })
      const expected = plainWalk(stored, didOf(number), query)
      expect(answer?.truncated).toBe(false)
      expect(distancesIn(answer!)).toEqual(expected.distances)
      expect(new Set(answer!.edges.map(textOf))).toEqual(expected.edges)
    }
    await Promise.all(Array.from({ length: groups * size }, (_, number) => check(number)))
  })

  it('names entities by what they are, and claims and credentials by the chain', async () => {
    const storage = await open()
    const graph = createGraph(storage)
    await putEntities(storage, [
      { number: 1, type: 'CookStove', status: 'deactivated' },
      { number: 2, type: 'OracleEntity', domainClass: 'Oracle Twins' },
    ])
    await putEdges(storage, [
      { from: idOf(1), relationship: 'produces', to: claim },
      { from: idOf(2), relationship: 'verifies', to: claim },
      { from: claim, relationship: 'becomes', to: credential },
    ])
    const stove = { did: didOf(1), type: 'CookStove', domainClass: 'Physical Twins', status: 'deactivated' }
    const oracle = { did: didOf(2), type: 'OracleEntity', domainClass: 'Oracle Twins', status: 'active' }
    expect(await graph.walk({ from: didOf(1), depth: 6, direction: 'both' })).toEqual({
      nodes: [
        { ...stove, distance: 0 },
        { uri: claim, kind: 'claim', distance: 1 },
        { uri: credential, kind: 'credential', distance: 2 },
        { ...oracle, distance: 2 },
      ],
      edges: [
        { from: didOf(1), relationship: 'produces', to: claim },
        { from: claim, relationship: 'becomes', to: credential },
        { from: didOf(2), relationship: 'verifies', to: claim },
      ],
      truncated: false,
    })
    const behind = await graph.walk({ from: claim, relationship: 'operator', depth: 1, direction: 'in' })
    expect(behind?.nodes).toEqual([{ uri: claim, kind: 'claim', distance: 0 }])
    for (const from of [didOf(3), 'did:web:elsewhere:entities:00000000000000000000000001', 'urn:uuid:none']) {
      expect(await graph.walk({ from, depth: 1, direction: 'out' })).toBeUndefined()
    }
    const decoded = didOf(1).replace('%3A', ':')
    expect((await graph.walk({ from: decoded, depth: 1, direction: 'out' }))?.nodes[0]).toMatchObject(stove)
  })

  it('is truncated and marked at hubs, and reads them by index only', async () => {
    const storage = await open()
    const graph = createGraph(storage)
    const hub = 2_000
    await putEntities(
      storage,
      Array.from({ length: 50 }, (_, number) => ({ number })),
    )
    const uri = (number: number) => `urn:hub:${String(number).padStart(6, '0')}`
    const edges: Edge[] = []
    for (let number = 1; number < hub; number += 1) {
      edges.push({ from: idOf(0), relationship: 'generates', to: uri(number) })
      edges.push({ from: uri(number), relationship: 'partOf', to: uri(0) })
    }
    edges.push({ from: idOf(0), relationship: 'operator', to: idOf(1) })
    for (let number = 1; number < 40; number += 1) {
      edges.push({ from: idOf(1), relationship: 'partOf', to: idOf(number + 1) })
    }
    await putEdges(storage, edges)

    const answer = await graph.walk({ from: didOf(0), depth: 6, direction: 'both' })
    expect(answer?.truncated).toBe(true)
    expect(answer?.nodes).toHaveLength(1_000)
    expect(answer!.edges.length).toBeLessThanOrEqual(5_000)
    const ends = new Set(distancesIn(answer!).keys())
    for (const { from, to } of answer!.edges) expect(ends.has(from) && ends.has(to)).toBe(true)

    const narrow = await graph.walk({ from: didOf(0), relationship: 'operator', depth: 2, direction: 'out' })
    expect(narrow?.truncated).toBe(false)
    expect(narrow?.nodes).toHaveLength(2)

    await storage.write(tx => sql`analyze`.execute(tx))
    for (const side of ['out', 'in'] as const) {
      for (const relationship of [undefined, 'partOf']) {
        const level = { nodes: [idOf(0), uri(0)], side, maxOfName: 50, maxEdges: 5_000 }
        const query = levelStatement(name, relationship === undefined ? level : { ...level, relationship })
        const plan = await sql<Record<string, unknown>>`
          ${sql.raw(name === 'sqlite' ? 'explain query plan' : 'explain')} ${query}
        `.execute(storage.read)
        const steps = plan.rows.map(row => String(row.detail ?? row['QUERY PLAN'])).join('\n')
        expect(steps).not.toMatch(/SCAN (?:edge|entities_edges)|Seq Scan on entities_edges/)
        expect(steps).toMatch(/entities_edges/)
      }
    }
  })

  const add = async (storage: Storage<EntitiesTables>, ...edges: string[]) => {
    await storage.write(tx => createEdgeStore(storage).insert(edges.map(edge), 1, tx))
  }
  const all = async (storage: Storage<EntitiesTables>) => {
    const rows = await storage.read.selectFrom('entities_edges').selectAll().execute()
    return rows.map(row => `${row.from_node} ${row.relationship} ${row.to_node}`).sort()
  }

  it('has edges that are added once, taken away, and found by where they begin', async () => {
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

  it('returns the edges that close a cycle of their own relationship, and no others', async () => {
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

  it('rejects an edge behind which more lies than can be walked through', async () => {
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
