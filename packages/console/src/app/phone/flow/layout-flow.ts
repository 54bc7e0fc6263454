import { graphlib, layout } from '@dagrejs/dagre'
import type { FlowRecord } from '@sibyl/plugin-ussd/records'
import type { FlowEdge } from '../parts/flow-record.ts'

/** Size of a screen in the graph, in pixels. */
export const nodeSize = { width: 190, height: 74 } as const

/** A way in the graph: several options between two screens are one. */
export interface DrawnEdge {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly edges: readonly FlowEdge[]
  /** True for the shortest way to its screen, by which screens are placed. */
  readonly isShortest: boolean
}

export interface FlowLayout {
  readonly positions: ReadonlyMap<string, { readonly x: number; readonly y: number }>
  readonly edges: readonly DrawnEdge[]
}

/** The closing text, which has no screen of its own. */
export const exitNode = 'exit'

/**
 * Returns where screens and ways are drawn: the start on the left, and each screen by the number of steps that lead to
 * it. Ways back and across have no influence.
 */
export const layoutFlow = ({ start, nodes, edges }: FlowRecord): FlowLayout => {
  const drawn = drawnEdges(edges)
  const shortest = shortestWays(start, drawn)
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 64, marginx: 8, marginy: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  const ids = [...nodes.map(({ id }) => id), ...(drawn.some(({ to }) => to === exitNode) ? [exitNode] : [])]
  for (const id of ids) graph.setNode(id, { ...nodeSize })
  for (const { from, to } of shortest.values()) graph.setEdge(from, to)
  layout(graph)
  // Mirrored, because the first option of a menu is laid out last.
  const positions = new Map(
    ids.map(id => {
      const { x = 0, y = 0 } = graph.node(id) as { readonly x?: number; readonly y?: number }
      return [id, { x: x - nodeSize.width / 2, y: -y - nodeSize.height / 2 }]
    }),
  )
  return {
    positions,
    edges: drawn.map(edge => ({ ...edge, isShortest: shortest.get(edge.to)?.id === edge.id })),
  }
}

/** Returns the way by which each screen is reached in the fewest steps. */
const shortestWays = (start: string, edges: readonly DrawnEdge[]): ReadonlyMap<string, DrawnEdge> => {
  const found = new Map<string, DrawnEdge>()
  const reached = new Set([start])
  for (const screen of reached) {
    for (const edge of edges) {
      if (edge.from !== screen || reached.has(edge.to)) continue
      reached.add(edge.to)
      found.set(edge.to, edge)
    }
  }
  return found
}

const drawnEdges = (edges: readonly FlowEdge[]): DrawnEdge[] => {
  const found = new Map<string, DrawnEdge>()
  for (const edge of edges) {
    const { from, to } = edge
    if (from === to) continue
    const id = JSON.stringify([from, to])
    const known = found.get(id)
    found.set(id, { id, from, to, edges: [...(known?.edges ?? []), edge], isShortest: false })
  }
  return [...found.values()]
}
