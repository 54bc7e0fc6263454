import { sql } from '@sibyl/plugin/storage'
import type { Edge } from '../records/stored-entity.ts'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import { jsonList, jsonText } from '../storage/statement-parts.ts'
import { closingEdges } from './closing-edges.ts'

const maxRows = 5_000

export const createEdgeStore = ({ engine, read }: Pick<EntitiesStorage, 'engine' | 'read'>) => {
  const columns = sql`${jsonText(engine, 0)}, ${jsonText(engine, 1)}, ${jsonText(engine, 2)}`
  return {
    /** Adds edges; existing ones do not change. @param at milliseconds since 1970 */
    async insert(edges: readonly Edge[], at: number, tx: EntitiesTransaction): Promise<void> {
      for (const part of partsOf(edges)) {
        await sql`
          insert into entities_edges (from_node, relationship, to_node, created_at)
          select ${columns}, cast(${at} as bigint) from ${jsonList(engine, part)} where true
          on conflict do nothing
        `.execute(tx)
      }
    },
    async remove(edges: readonly Edge[], tx: EntitiesTransaction): Promise<void> {
      for (const part of partsOf(edges)) {
        await sql`
          delete from entities_edges
          where (from_node, relationship, to_node) in (select ${columns} from ${jsonList(engine, part)})
        `.execute(tx)
      }
    },
    /**
     * Returns the edges that close a cycle of their own relationship. Call it after `insert`, in its transaction, for
     * edges of acyclic relationships. It holds against concurrent writes in every isolation level. On PostgreSQL writers
     * wait for each other from here to the commit, so call it late. Edges from an entity that is created in this
     * transaction close none.
     */
    closing: (edges: readonly Edge[], tx: EntitiesTransaction) => closingEdges(engine, edges, tx),
    /** Returns the outgoing edges of entities, at most `limit` of each name: relationship name to target nodes. */
    async outgoing(ids: readonly string[], limit: number) {
      const list = ids.map(id => [id])
      const { rows } = await sql<{ node: string; name: string; targets: string | readonly string[] }>`
        with recursive names (node, name) as (
          select ${jsonText(engine, 0)},
            (select min(relationship) from entities_edges where from_node = ${jsonText(engine, 0)})
          from ${jsonList(engine, list)}
          union all
          select node, (select min(relationship) from entities_edges where from_node = node and relationship > name)
          from names where name is not null
        )
        select node, name, (
          select ${engine === 'sqlite' ? sql`json_group_array(to_node)` : sql`json_agg(to_node)`} from (
            select to_node from entities_edges where from_node = node and relationship = name
            order by to_node limit ${limit}
          ) as shown
        ) as targets
        from names where name is not null
      `.execute(read)
      return outgoingOf(rows)
    },
  }
}

export type EdgeStore = ReturnType<typeof createEdgeStore>

function* partsOf(edges: readonly Edge[]): Generator<readonly (readonly string[])[]> {
  for (let from = 0; from < edges.length; from += maxRows) {
    yield edges.slice(from, from + maxRows).map(edge => [edge.from, edge.relationship, edge.to])
  }
}

const outgoingOf = (
  rows: readonly { readonly node: string; readonly name: string; readonly targets: string | readonly string[] }[],
): Map<string, Readonly<Record<string, readonly string[]>>> => {
  const found = new Map<string, [string, readonly string[]][]>()
  for (const { node, name, targets } of rows) {
    const list: readonly string[] = typeof targets === 'string' ? JSON.parse(targets) : targets
    const names = found.get(node)
    if (names) names.push([name, list])
    else found.set(node, [[name, list]])
  }
  return new Map([...found].map(([node, names]) => [node, Object.fromEntries(names)]))
}
