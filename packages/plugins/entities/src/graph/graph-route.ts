import { type Route, route } from '@sibyl/plugin'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesErrors, entitiesFailures } from '../entities-errors.ts'
import type { Graph } from './graph.ts'

import { graphQuery, graphRecord } from './graph-record.ts'
import { mostEdges, mostNodes } from './walk-graph.ts'

/** `GET /v1/graph`. */
export const graphRoute = (graph: Graph): Route =>
  route.get(
    '/v1/graph',
    {
      auth: entitiesAccess('read'),
      summary: 'What is related to an entity, claim or credential',
      description:
        'Breadth first: each relationship of every node that is nearer than `depth`. An answer has at most ' +
        `${mostNodes} nodes and ${mostEdges} edges, the nearest ones, and says \`truncated\` where there are more. ` +
        'What was written a moment ago is in it.',
      query: graphQuery,
      ok: { 200: { description: 'The nodes and the edges between them', schema: graphRecord } },
      errors: [entitiesErrors.scope_missing, entitiesFailures.graph_node_not_found],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const { relationship, ...query } = c.req.valid('query')
      const found = await graph.walk({ ...query, ...(relationship === undefined ? {} : { relationship }) })
      if (!found) throw entitiesFailures.graph_node_not_found()
      const { nodes, edges, truncated } = found
      return c.json({ nodes: [...nodes], edges: [...edges], truncated }, 200)
    },
  )
