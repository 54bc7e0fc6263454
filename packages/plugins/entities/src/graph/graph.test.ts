import { sql } from '@sibyl/core/storage'
import { expect, it } from 'vitest'
import type { Edge } from '../records/entity-change.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { createGraph } from './create-graph.ts'
import { didOf, idOf, putEdges, putEntities } from './graph.test.helper.ts'
import type { GraphQuery, Subgraph } from './graph.ts'
import { levelStatement } from './level-edges.ts'

const claim = 'urn:uuid:00000000-0000-4000-8000-000000000001'
const credential = 'urn:uuid:00000000-0000-4000-8000-000000000002'
const names = ['partOf', 'generates', 'operator'] as const

/** Xorshift of 32 bits. */
const seededNumbers = (seed: number): ((below: number) => number) => {
  let state = (seed * 2654435761 + 1) >>> 0 || 1
  return below => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}

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

const distancesIn = (graph: Subgraph): Map<string, number> =>
  new Map(graph.nodes.map(node => ['did' in node ? node.did : node.uri, node.distance]))

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

  it('is cut off at hubs, says so, and reads them by index alone', async () => {
    const storage = await open()
    const graph = createGraph(storage)
    const hub = 6_000
    await putEntities(
      storage,
      Array.from({ length: 1_200 }, (_, number) => ({ number })),
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
        const level = { nodes: [idOf(0), uri(0)], side, mostOfName: 50, mostEdges: 5_000 }
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
})
