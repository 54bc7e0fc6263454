import { type Route, route } from '@sibyl/plugin'
import { memberName } from '@sibyl/protocol'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesErrors, entitiesFailures } from '../errors/entities-errors.ts'
import { graphRecord } from '../records/graph-record.ts'
import type { Graph } from './graph.ts'
import { directions, maxEdges, maxNodes } from './walk-graph.ts'

/** Maximum depth of a walk. */
const deepestWalk = 6

/** A node of the graph, as a parameter. */
export const graphNode = z
  .string()
  .max(500)
  .regex(/^[A-Za-z][A-Za-z0-9+.-]*:[\x21-\x7e]+$/, 'is not a DID or a URI')
  .meta({ description: 'The DID of an entity, or the URI of a claim or credential' })

const graphQuery = z.object({
  from: graphNode,
  relationship: memberName.optional().meta({ description: 'Follow only relationships with this name' }),
  depth: z.coerce
    .number()
    .int()
    .min(1)
    .max(deepestWalk)
    .default(1)
    .meta({ description: 'Maximum number of edges from the start' }),
  direction: z.enum(directions).default('both').meta({ description: 'Direction in which relationships are followed' }),
})

export const graphRoute = (graph: Graph): Route =>
  route.get(
    '/v1/graph',
    {
      auth: entitiesAccess('read'),
      summary: 'Get the graph around an entity, claim or credential',
      description:
        'Breadth first: each relationship of every node that is nearer than `depth`. A response has at most ' +
        `${maxNodes} nodes and ${maxEdges} edges, nearest first; \`truncated\` is true if there are more. ` +
        'It includes all completed writes.',
      query: graphQuery,
      ok: { 200: { description: 'The nodes and the edges between them', schema: graphRecord } },
      errors: [entitiesErrors.scope_missing, entitiesFailures.graph_node_not_found],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const found = await graph.walk(c.req.valid('query'))
      if (!found) throw entitiesFailures.graph_node_not_found()
      return c.json(found, 200)
    },
  )
