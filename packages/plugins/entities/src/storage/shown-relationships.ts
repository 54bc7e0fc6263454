import type { EdgeStore } from '../graph/graph.ts'
import { maxShownRelationships } from '../records/entity-record.ts'
import type { EntitiesStorage } from './entities-tables.ts'
import { findDids } from './entity-rows.ts'

/** The first edges of each name of an entity, as the DIDs and URIs that they lead to. */
export const shownRelationships = async (
  edges: Pick<EdgeStore, 'outgoing'>,
  read: EntitiesStorage['read'],
  id: string,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const outgoing = (await edges.outgoing([id], maxShownRelationships)).get(id) ?? {}
  const known = await findDids(read, [...new Set(Object.values(outgoing).flat())])
  return Object.fromEntries(
    Object.entries(outgoing).map(([name, nodes]) => [name, nodes.map(node => known.get(node) ?? node)]),
  )
}
