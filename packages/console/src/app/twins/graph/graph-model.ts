import dagre from '@dagrejs/dagre'
import type { GraphRecord } from '@sibyl/plugin-entities/records'

/** A node of `GET /v1/graph`: an entity, or a claim, credential or oracle by its URI. */
export type GraphNode = GraphRecord['nodes'][number]

type GraphEdge = GraphRecord['edges'][number]

/** Maximum number of nodes that a picture has. */
export const maxNodes = 300

export const nodeSize = { width: 190, height: 46 } as const

export const idOf = (node: GraphNode): string => ('did' in node ? node.did : node.uri)

export const edgeId = ({ from, relationship, to }: GraphEdge): string => `${from} ${relationship} ${to}`

/** Adds what an expanded node brought; `truncated` is true if the limit left nodes out. */
export const merged = (known: GraphRecord, more: GraphRecord): GraphRecord => {
  const nodes = new Map(known.nodes.map(node => [idOf(node), node]))
  for (const node of more.nodes) if (nodes.size < maxNodes && !nodes.has(idOf(node))) nodes.set(idOf(node), node)
  const edges = new Map(known.edges.map(edge => [edgeId(edge), edge]))
  for (const edge of more.edges) if (nodes.has(edge.from) && nodes.has(edge.to)) edges.set(edgeId(edge), edge)
  const left = more.nodes.some(node => !nodes.has(idOf(node)))
  return {
    nodes: [...nodes.values()],
    edges: [...edges.values()],
    truncated: known.truncated || more.truncated || left,
  }
}

/** Returns the top left corner of each node, laid out from left to right. */
export const positionsOf = ({
  nodes,
  edges,
}: GraphRecord): ReadonlyMap<string, { readonly x: number; readonly y: number }> => {
  const graph = new dagre.graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 110 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const node of nodes) graph.setNode(idOf(node), { ...nodeSize })
  for (const edge of edges) graph.setEdge(edge.from, edge.to, {}, edge.relationship)
  dagre.layout(graph)
  return new Map(
    nodes.map(node => {
      const { x = 0, y = 0 } = graph.node(idOf(node)) as { x?: number; y?: number }
      return [idOf(node), { x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 }]
    }),
  )
}
