import { expect, it } from 'vitest'
import type { Edge } from '../records/stored-entity.ts'
import type { LevelEdges, LevelQuery } from './level-edges.ts'
import { maxEdges, maxNodes, walkGraph } from './walk-graph.ts'

/** Reads levels from a list, as the database does. */
const levelsOf =
  (all: readonly Edge[], asked: LevelQuery[] = []) =>
  async (query: LevelQuery): Promise<LevelEdges> => {
    asked.push(query)
    const nodes = new Set(query.nodes)
    const counts = new Map<string, number>()
    const found = all.filter(edge => {
      const near = query.side === 'out' ? edge.from : edge.to
      if (!nodes.has(near)) return false
      const key = `${near} ${edge.relationship}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      return counts.get(key)! <= query.maxOfName
    })
    const edges = found.slice(0, query.maxEdges)
    return { edges, cut: edges.length < [...counts.values()].reduce((sum, count) => sum + count, 0) }
  }

const all = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

it('gives no more edges than its limit, between few nodes', async () => {
  const edges = all(100).flatMap(from =>
    all(100).map(to => ({ from: `n${from}`, relationship: 'knows', to: `n${to}` })),
  )
  const walk = await walkGraph('n0', { depth: 3, direction: 'both' }, levelsOf(edges))
  expect(walk.distances.size).toBe(100)
  expect(walk.edges).toHaveLength(maxEdges)
  expect(new Set(walk.edges.map(({ from, to }) => `${from} ${to}`)).size).toBe(maxEdges)
  expect(walk.truncated).toBe(true)
})

it('returns exactly its limit of nodes without a note, and reports one more', async () => {
  const star = (size: number) => all(size).map(to => ({ from: 'hub', relationship: 'has', to: `n${to}` }))
  const whole = await walkGraph('hub', { depth: 6, direction: 'out' }, levelsOf(star(maxNodes - 1)))
  expect([whole.distances.size, whole.edges.length, whole.truncated]).toEqual([maxNodes, maxNodes - 1, false])
  const cut = await walkGraph('hub', { depth: 6, direction: 'out' }, levelsOf(star(maxNodes)))
  expect([cut.distances.size, cut.edges.length, cut.truncated]).toEqual([maxNodes, maxNodes - 1, true])
})

it('asks each node once, and less of each the more there are', async () => {
  const asked: LevelQuery[] = []
  const edges = all(40).flatMap(at => [
    { from: 'start', relationship: 'has', to: `n${at}` },
    { from: `n${at}`, relationship: 'has', to: 'start' },
    { from: `n${at}`, relationship: 'has', to: `m${at}` },
  ])
  await walkGraph('start', { depth: 6, direction: 'out', relationship: 'has' }, levelsOf(edges, asked))
  const nodes = asked.flatMap(query => query.nodes)
  expect(new Set(nodes).size).toBe(nodes.length)
  expect(asked.map(query => [query.nodes.length, query.maxOfName])).toEqual([
    [1, 5_000],
    [40, 125],
    [40, 125],
  ])
  expect(asked.every(query => query.relationship === 'has')).toBe(true)
})
