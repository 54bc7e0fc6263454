import type { GraphRecord } from '@sibyl/plugin-entities/records'
import { expect, test } from 'vitest'
import { type GraphNode, maxNodes, merged, positionsOf } from './graph-model.ts'

const node = (did: string, distance = 0): GraphNode => ({
  did,
  type: 'Stove',
  domainClass: 'Physical Twins',
  status: 'active',
  distance,
})
const start: GraphRecord = { nodes: [node('a')], edges: [], truncated: false }

test('an expanded node adds what is new, up to the limit, without edges to missing nodes', () => {
  const more: GraphRecord = {
    nodes: [node('a', 1), ...Array.from({ length: 400 }, (_, number) => node(`n${number}`, 1))],
    edges: [
      { from: 'a', relationship: 'partOf', to: 'n0' },
      { from: 'a', relationship: 'partOf', to: 'n399' },
    ],
    truncated: false,
  }
  const both = merged(start, more)
  expect(both.nodes).toHaveLength(maxNodes)
  expect(both.nodes[0]).toEqual(node('a'))
  expect(both.edges).toEqual([{ from: 'a', relationship: 'partOf', to: 'n0' }])
  expect(both.truncated).toBe(true)
  expect(merged(both, both).edges).toHaveLength(1)
})

test('nodes lie apart, also with several edges between two of them and an edge to itself', () => {
  const nodes = [node('a'), node('b'), node('c')]
  const edges = [
    { from: 'a', relationship: 'partOf', to: 'b' },
    { from: 'a', relationship: 'feeds', to: 'b' },
    { from: 'c', relationship: 'feeds', to: 'c' },
  ]
  const positions = [...positionsOf({ nodes, edges, truncated: false }).values()]
  expect(new Set(positions.map(({ x, y }) => `${x} ${y}`)).size).toBe(3)
  expect(positions.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true)
})
