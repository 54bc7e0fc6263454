import type { Edge } from '../records/stored-entity.ts'
import type { LevelEdges, LevelQuery } from './level-edges.ts'

export const directions = ['out', 'in', 'both'] as const

export interface GraphQuery {
  /** The start: the DID of an entity, or the URI of a claim or credential. */
  readonly from: string
  readonly relationship?: string | undefined
  /** Number of edges from the start, 1 to 6. */
  readonly depth: number
  readonly direction: (typeof directions)[number]
}

/** Maximum number of nodes and of edges in a response. */
export const maxNodes = 1_000

export const maxEdges = 5_000

/** Minimum number of edges of one name that are read of each node, regardless of the number of nodes in a level. */
const leastOfName = 50

/** Result of a walk; nodes as stored, with their distance. */
export interface Walk {
  readonly distances: ReadonlyMap<string, number>
  readonly edges: readonly Edge[]
  readonly truncated: boolean
}

/** Walks breadth first, with one read for each level and direction, and ends at the level that reaches a limit. */
export const walkGraph = async (
  start: string,
  { relationship, depth, direction }: Omit<GraphQuery, 'from'>,
  readLevel: (query: LevelQuery) => Promise<LevelEdges>,
): Promise<Walk> => {
  const distances = new Map([[start, 0]])
  const edges = new Map<string, Edge>()
  const sides = direction === 'both' ? (['out', 'in'] as const) : [direction]
  let isCut = false
  let isFull = false
  let nodes = [start]

  /** Adds an edge, unless the edge or its target exceeds a limit. */
  const take = (edge: Edge, far: string, distance: number, next: string[]): void => {
    const key = `${edge.from} ${edge.relationship} ${edge.to}`
    if (edges.has(key)) return
    const isNew = !distances.has(far)
    if (edges.size >= maxEdges || (isNew && distances.size >= maxNodes)) {
      isFull = true
      return
    }
    edges.set(key, edge)
    if (!isNew) return
    distances.set(far, distance)
    next.push(far)
  }

  for (let distance = 1; distance <= depth && nodes.length > 0 && !isFull; distance += 1) {
    const next: string[] = []
    const maxOfName = Math.max(leastOfName, Math.floor(maxEdges / nodes.length))
    for (const side of sides) {
      const level = await readLevel({ nodes, side, maxOfName, maxEdges, relationship })
      isCut ||= level.cut
      for (const edge of level.edges) take(edge, side === 'out' ? edge.to : edge.from, distance, next)
    }
    nodes = next
  }
  return { distances, edges: [...edges.values()], truncated: isCut || isFull }
}
