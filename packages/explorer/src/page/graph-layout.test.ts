import { expect, test } from 'vitest'
import { layOut, sizes } from './graph-layout.js'

const edge = (from: string, to: string, relationship = 'r') => ({ from, to, relationships: [relationship] })

const columnsOf = (layout: ReturnType<typeof layOut>) => {
  const columns = [...Map.groupBy(layout.places, ([, { x }]) => x)].toSorted(([one], [other]) => one - other)
  return columns.map(([, nodes]) => nodes.map(([id]) => id).toSorted())
}

const noneOverlap = ({ places, width, height }: ReturnType<typeof layOut>) => {
  for (const column of Map.groupBy(places.values(), ({ x }) => x).values()) {
    const rows = column.map(({ y }) => y).toSorted((one, other) => one - other)
    for (const [index, y] of rows.entries()) {
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y + sizes.height).toBeLessThanOrEqual(height)
      if (index > 0) expect(y - (rows[index - 1] ?? 0)).toBeGreaterThanOrEqual(sizes.height)
    }
  }
  for (const { x } of places.values()) expect(x + sizes.width).toBeLessThanOrEqual(width)
}

test('the generic chain reads from left to right', () => {
  const layout = layOut(
    ['stove', 'project', 'organisation', 'claim', 'oracle', 'credential'],
    [
      edge('organisation', 'project'),
      edge('project', 'stove'),
      edge('stove', 'claim'),
      edge('oracle', 'claim'),
      edge('claim', 'credential'),
    ],
  )
  expect(columnsOf(layout)).toEqual([['organisation'], ['project'], ['oracle', 'stove'], ['claim'], ['credential']])
  noneOverlap(layout)
  for (const { points, words } of layout.edges) {
    expect(points[0]!.x).toBeLessThan(points.at(-1)!.x)
    expect(words).toBeDefined()
  }
})

test('a circle has one edge that leads back', () => {
  const layout = layOut(['a', 'b', 'c'], [edge('a', 'b'), edge('b', 'c'), edge('c', 'a')])
  expect(columnsOf(layout)).toEqual([['a'], ['b'], ['c']])
  const back = layout.edges.filter(({ points }) => points[0]!.x > points.at(-1)!.x)
  expect(back.map(({ from, to }) => [from, to])).toEqual([['c', 'a']])
})

test('isolated nodes, and an empty graph, have positions', () => {
  expect(columnsOf(layOut(['alone'], []))).toEqual([['alone']])
  expect(layOut([], []).places.size).toBe(0)
})

test('many nodes of any shape stand beside each other', () => {
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 60; round += 1) {
    const ids = Array.from({ length: 1 + next(40) }, (_, index) => `n${index}`)
    const pairs = new Set(Array.from({ length: next(90) }, () => `n${next(ids.length)} n${next(ids.length)}`))
    const edges = [...pairs].flatMap(pair => {
      const [from = '', to = ''] = pair.split(' ')
      return from === to ? [] : [edge(from, to)]
    })
    const layout = layOut(ids, edges)
    expect(layout.places.size).toBe(ids.length)
    expect(layout.edges).toHaveLength(edges.length)
    noneOverlap(layout)
  }
})
