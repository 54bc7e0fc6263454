import { sql } from '@sibyl/plugin/storage'
import type { Edge } from '../records/stored-entity.ts'
import type { EntitiesStorage, EntitiesTransaction } from '../storage/entities-tables.ts'
import { jsonList, jsonText } from '../storage/statement-parts.ts'

/** Joins the next edges of the reached nodes. */
const joinedEdges = sql`
  join entities_edges as edge on edge.from_node = reached.node and edge.relationship = reached.relationship
`

/** The same for PostgreSQL, which would otherwise scan the whole table for each step if its statistics are poor. */
const lateralEdges = sql`
  cross join lateral (
    select to_node from entities_edges where from_node = reached.node and relationship = reached.relationship offset 0
  ) as edge
`

type Engine = EntitiesStorage['engine']

/** Maximum number of nodes behind new edges that are read. */
const maxWalked = 10_000

/** PostgreSQL's advisory lock for the cycle search: 'ring' in ASCII. */
const circleLock = 0x72696e67

/**
 * Returns the new edges that close a cycle of their own relationship. If more than 10,000 nodes lie behind them, which
 * is too many to follow, all of them are returned, so that no cycle is missed.
 *
 * Of two concurrent transactions that write opposite edges, at most one succeeds. SQLite runs them one after the other.
 * On PostgreSQL a lock until the commit serializes them: under `read committed` the later one sees the other's edges.
 * Under `serializable` it would not, and the server detects the conflict only if both are `serializable`. So all
 * writers of edges must use the same isolation level.
 */
export const closingEdges = async (
  engine: Engine,
  edges: readonly Edge[],
  tx: EntitiesTransaction,
): Promise<readonly Edge[]> => {
  if (edges.length === 0) return []
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${circleLock})`.execute(tx)
  const groupOf = (edge: Edge): string => `${edge.from} ${edge.relationship}`
  const groups = await circlesAmong(
    engine,
    edges.map(edge => [groupOf(edge), edge]),
    tx,
  )
  const suspects = edges.filter(edge => groups.has(groupOf(edge)))
  if (suspects.length < 2) return suspects
  const closing = await circlesAmong(
    engine,
    suspects.map((edge, index) => [String(index), edge]),
    tx,
  )
  return suspects.filter((_, index) => closing.has(String(index)))
}

/** Returns the groups with an edge that leads back to its start; all of them if too many nodes lie behind. */
const circlesAmong = async (
  engine: Engine,
  edges: readonly (readonly [group: string, Edge])[],
  tx: EntitiesTransaction,
): Promise<ReadonlySet<string>> => {
  const list = edges.map(([group, { from, relationship, to }]) => [group, from, relationship, to])
  const at = (index: number) => jsonText(engine, index)
  const { rows } = await sql<{ group_name: string; closes: number; walked: number }>`
    with recursive reached (group_name, start, relationship, node) as (
      select ${at(0)}, ${at(1)}, ${at(2)}, ${at(3)} from ${jsonList(engine, list)}
      union
      select reached.group_name, reached.start, reached.relationship, edge.to_node
      from reached ${engine === 'sqlite' ? joinedEdges : lateralEdges}
    )
    select group_name, max(case when node = start then 1 else 0 end) as closes, count(*) as walked
    from (select * from reached limit ${maxWalked + 1}) as walk
    group by group_name
  `.execute(tx)
  const walked = rows.reduce((sum, row) => sum + row.walked, 0)
  if (walked > maxWalked) return new Set(edges.map(([group]) => group))
  return new Set(rows.filter(row => row.closes === 1).map(row => row.group_name))
}
