import { defineRoute, type Route } from '@sibyl/plugin'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesFailures } from '../entities-errors.ts'
import { answers } from '../records/route-answers.ts'
import type { Graph } from './graph.ts'

import { graphQuery, graphRecord } from './graph-record.ts'
import { mostEdges, mostNodes } from './walk-graph.ts'

/** `GET /v1/graph`. */
export const graphRoute = (graph: Graph): Route =>
  defineRoute(
    entitiesAccess('read'),
    {
      method: 'get',
      path: '/v1/graph',
      summary: 'What is related to an entity, claim or credential',
      description:
        'Breadth first: each relationship of every node that is nearer than `depth`. An answer has at most ' +
        `${mostNodes} nodes and ${mostEdges} edges, the nearest ones, and says \`truncated\` where there are more. ` +
        'What was written a moment ago is in it.',
      request: { query: graphQuery },
      responses: {
        200: answers.json('The nodes and the edges between them', graphRecord),
        400: answers.problem('`input_invalid`'),
        403: answers.problem('`scope_missing`'),
        404: answers.problem('`graph_node_not_found`'),
      },
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
