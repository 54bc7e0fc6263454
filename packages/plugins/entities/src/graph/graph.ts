import { sql } from '@sibyl/plugin/storage'
import { sameDid } from '@sibyl/protocol'
import { entityIdOf, isEntityId } from '../records/entity-did.ts'
import type { GraphRecord } from '../records/graph-record.ts'
import type { Edge } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { idIn } from '../storage/statement-parts.ts'
import { levelEdges } from './level-edges.ts'
import type { NodeFacts } from './relationship-rules.ts'
import { type GraphQuery, type Walk, walkGraph } from './walk-graph.ts'

/** A node of a response; `distance` is the number of edges from the start. */
export type GraphNode = GraphRecord['nodes'][number]

/** Kind of a node that is not an entity, from the generic chain. */
type OtherKind = Extract<GraphNode, { uri: string }>['kind']

/** The graph of entities, claims and credentials. */
export interface Graph {
  /**
   * Returns everything within `depth` edges, breadth first: each edge of every node that is nearer than `depth`. The
   * cost is bounded by the response, not by the graph.
   *
   * @returns undefined if the node is unknown
   */
  walk(query: GraphQuery): Promise<GraphRecord | undefined>
}

type Facts = Pick<NodeFacts, 'did' | 'type' | 'domainClass' | 'status'>
type Reading = Pick<EntitiesStorage, 'engine' | 'read'>

export const createGraph = (storage: Reading): Graph => ({
  async walk({ from, ...query }) {
    const id = entityIdOf(from)
    const start = id ?? from
    if (id !== undefined) {
      const stored = (await findFacts(storage, [id])).get(id)
      if (!stored || !sameDid(stored.did, from)) return undefined
    }
    const walk = await walkGraph(start, query, level => levelEdges(storage, level))
    const beside = id === undefined ? await someEdges(storage, start) : []
    if (id === undefined && beside.length === 0) return undefined
    const ids = [...walk.distances.keys()].filter(isEntityId)
    return subgraphOf(walk, beside, await findFacts(storage, ids))
  },
})

const findFacts = async ({ engine, read }: Reading, ids: readonly string[]): Promise<ReadonlyMap<string, Facts>> => {
  const { rows } = await sql<{ id: string; domain_class: Facts['domainClass'] } & Omit<Facts, 'domainClass'>>`
    select entity.id, entity.did, entity.type, entity.domain_class, entity.status
    from entities_entities as entity where ${idIn(engine, 'entity.id', ids)}
  `.execute(read)
  return new Map(rows.map(({ id, domain_class, ...facts }) => [id, { ...facts, domainClass: domain_class }]))
}

/** Returns an edge of each name at a node that is not an entity; such a node exists only through its edges. */
const someEdges = async (storage: Reading, node: string): Promise<readonly Edge[]> => {
  const found: Edge[] = []
  for (const side of ['out', 'in'] as const) {
    found.push(...(await levelEdges(storage, { nodes: [node], side, maxOfName: 1, maxEdges: 10 })).edges)
  }
  return found
}

const subgraphOf = (
  { distances, edges, truncated }: Walk,
  beside: readonly Edge[],
  facts: ReadonlyMap<string, Facts>,
): GraphRecord => {
  const kinds = kindsIn([...beside, ...edges])
  const nodes: GraphNode[] = []
  for (const [node, distance] of distances) {
    const entity = facts.get(node)
    nodes.push(entity ? { ...entity, distance } : { uri: node, kind: kinds.get(node) ?? 'other', distance })
  }
  const named = (node: string): string => facts.get(node)?.did ?? node
  return {
    nodes,
    edges: edges.map(({ from, relationship, to }) => ({ from: named(from), relationship, to: named(to) })),
    truncated,
  }
}

/** Kinds of nodes at the ends of the generic chain's edges. */
const chain: Readonly<Record<string, { readonly from?: OtherKind; readonly to?: OtherKind }>> = {
  produces: { to: 'claim' },
  verifies: { from: 'oracle', to: 'claim' },
  becomes: { from: 'claim', to: 'credential' },
}

const kindsIn = (edges: readonly Edge[]): ReadonlyMap<string, OtherKind> => {
  const kinds = new Map<string, OtherKind>()
  for (const { from, relationship, to } of edges) {
    const ends = Object.hasOwn(chain, relationship) ? chain[relationship] : undefined
    if (ends?.from) kinds.set(from, ends.from)
    if (ends?.to) kinds.set(to, ends.to)
  }
  return kinds
}
