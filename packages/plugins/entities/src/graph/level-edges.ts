import { sql } from '@sibyl/plugin/storage'
import type { Edge } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { jsonList, jsonText } from '../storage/statement-parts.ts'

export interface LevelQuery {
  readonly nodes: readonly string[]
  /** Edges that begin at the nodes, or end there. */
  readonly side: 'out' | 'in'
  readonly relationship?: string | undefined
  /** Maximum number of edges of each node and name, so that one hub cannot use up the limit. */
  readonly maxOfName: number
  readonly maxEdges: number
}

/** Edges, and whether there are more. */
export interface LevelEdges {
  readonly edges: readonly Edge[]
  readonly cut: boolean
}

/** Reads the edges of several nodes in one statement, which steps from name to name and stops at its limits. */
export const levelEdges = async (
  { engine, read }: Pick<EntitiesStorage, 'engine' | 'read'>,
  query: LevelQuery,
): Promise<LevelEdges> => {
  const { rows } = await levelStatement(engine, query).execute(read)
  return within(rows, query)
}

/** Returns the statement of `levelEdges`. It reads one edge more than each limit, to detect further ones. */
export const levelStatement = (
  engine: EntitiesStorage['engine'],
  { nodes, side, relationship, maxOfName, maxEdges }: LevelQuery,
) => {
  const near = sql.ref(side === 'out' ? 'from_node' : 'to_node')
  const far = sql.ref(side === 'out' ? 'to_node' : 'from_node')
  const list = jsonList(
    engine,
    nodes.map(node => [node]),
  )
  const node = jsonText(engine, 0)
  const names =
    relationship === undefined
      ? sql`
        select ${node}, (select min(relationship) from entities_edges where ${near} = ${node}) from ${list}
        union all
        select node, (select min(relationship) from entities_edges where ${near} = node and relationship > name)
        from names where name is not null`
      : sql`select ${node}, ${relationship} from ${list}`
  const ofName = sql`${near} = names.node and relationship = names.name`
  const edges =
    engine === 'sqlite'
      ? sql`
        cross join entities_edges as edge
        where edge.${near} = names.node and edge.relationship = names.name and edge.${far} <= coalesce(
          (select ${far} from entities_edges where ${ofName} order by ${far} limit 1 offset ${maxOfName}), ${afterAll})`
      : sql`
        cross join lateral (
          select from_node, relationship, to_node from entities_edges where ${ofName}
          order by ${far} limit ${maxOfName + 1}
        ) as edge`
  return sql<{ from_node: string; relationship: string; to_node: string }>`
    with recursive names (node, name) as (${names})
    select edge.from_node, edge.relationship, edge.to_node from names ${edges} limit ${maxEdges + 1}
  `
}

/** Sorts after every id and every URI, which begin with a digit or a letter. */
const afterAll = '~'

const within = (
  rows: readonly { readonly from_node: string; readonly relationship: string; readonly to_node: string }[],
  { side, maxOfName, maxEdges }: LevelQuery,
): LevelEdges => {
  const edges: Edge[] = []
  const counts = new Map<string, number>()
  for (const { from_node: from, relationship, to_node: to } of rows) {
    const key = `${side === 'out' ? from : to} ${relationship}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count <= maxOfName && edges.length < maxEdges) edges.push({ from, relationship, to })
  }
  return { edges, cut: edges.length < rows.length }
}
