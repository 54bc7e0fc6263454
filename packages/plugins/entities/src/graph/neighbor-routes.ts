import { listErrors, page, type Route, route } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { memberName } from '@sibyl/protocol'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesErrors } from '../errors/entities-errors.ts'
import { entityIdOf } from '../records/entity-did.ts'
import { neighborCounts, neighborRecord } from '../records/graph-record.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { graphNode } from './graph-route.ts'

const neighborsPage = page({ name: 'neighbors', item: neighborRecord, limit: 100 })

/** Maximum number of relationships whose far ends are counted by type. */
const maxTyped = 10_000

const sides = [
  { direction: 'out', near: 'from_node', far: 'to_node' },
  { direction: 'in', near: 'to_node', far: 'from_node' },
] as const

/** Creates the routes for nodes with many relationships: their exact counts, and their neighbors in pages. */
export const neighborRoutes = ({ read }: Pick<EntitiesStorage, 'read'>): Route[] => [
  route.get(
    '/v1/graph/counts',
    {
      auth: entitiesAccess('read'),
      summary: 'Count the relationships of an entity, claim or credential',
      description: `Exact counts by direction and name, and by the type of the other end for at most ${maxTyped} relationships.`,
      query: z.object({ of: graphNode }),
      ok: { 200: { description: 'The counts', schema: neighborCounts } },
      errors: [entitiesErrors.scope_missing],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const { of } = c.req.valid('query')
      const node = entityIdOf(of) ?? of
      const counts: z.infer<typeof neighborCounts>['counts'] = []
      for (const { direction, near, far } of sides) {
        const { rows } = await sql<{ relationship: string; count: number | string }>`
          select relationship, count(*) as count from entities_edges where ${sql.ref(near)} = ${node}
          group by relationship order by relationship
        `.execute(read)
        const total = rows.reduce((sum, { count }) => sum + Number(count), 0)
        const types = total > maxTyped ? [] : await typesOf(read, node, near, far)
        for (const { relationship, count } of rows) {
          const own = types.filter(one => one.relationship === relationship)
          counts.push({
            direction,
            relationship,
            count: Number(count),
            types: Object.fromEntries(own.map(one => [one.type, Number(one.count)])),
          })
        }
      }
      return c.json({ counts }, 200)
    },
  ),
  route.get(
    '/v1/graph/neighbors',
    {
      auth: entitiesAccess('read'),
      summary: 'List the neighbors of an entity, claim or credential',
      description: 'The other ends of all relationships with one name and direction, in the order of their ids.',
      query: neighborsPage.query.extend({ of: graphNode, direction: z.enum(['in', 'out']), relationship: memberName }),
      ok: { 200: { description: 'A page', schema: neighborsPage.response } },
      errors: [entitiesErrors.scope_missing, listErrors.cursor_invalid],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const { limit, cursor, ...filters } = c.req.valid('query')
      const { near, far } = filters.direction === 'out' ? sides[0] : sides[1]
      const after = neighborsPage.read(cursor, filters) ?? ''
      const { rows } = await sql<{ node: string; did: string | null; type: string | null }>`
        select edge.${sql.ref(far)} as node, entity.did, entity.type from entities_edges as edge
        left join entities_entities as entity on entity.id = edge.${sql.ref(far)}
        where edge.${sql.ref(near)} = ${entityIdOf(filters.of) ?? filters.of}
        and edge.relationship = ${filters.relationship} and edge.${sql.ref(far)} > ${after}
        order by edge.${sql.ref(far)} limit ${limit + 1}
      `.execute(read)
      const itemOf = ({ node, did, type }: (typeof rows)[number]) => ({ id: did ?? node, ...(type ? { type } : {}) })
      return c.json(neighborsPage.make(rows, { limit, filters, keyOf: ({ node }) => node, itemOf }), 200)
    },
  ),
]

const typesOf = async (read: EntitiesStorage['read'], node: string, near: string, far: string) => {
  const { rows } = await sql<{ relationship: string; type: string; count: number | string }>`
    select edge.relationship, entity.type, count(*) as count from entities_edges as edge
    join entities_entities as entity on entity.id = edge.${sql.ref(far)}
    where edge.${sql.ref(near)} = ${node} group by edge.relationship, entity.type order by count(*) desc limit 200
  `.execute(read)
  return rows
}
