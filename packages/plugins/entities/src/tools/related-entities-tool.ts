import { defineTool, personalAbility } from '@sibyl/plugin'
import { z } from 'zod'
import type { GraphNode } from '../graph/graph.ts'
import { entityName } from '../records/entity-name.ts'
import { findEntity, type ToolDependencies } from './find-entity.ts'
import { firstThatFit, maxOutput } from './model-output.ts'

const related = z.object({
  /** Start of the edge; if missing, the entity of the call. */
  from: z.string().optional(),
  relationship: z.string(),
  /** End of the edge; if missing, the entity of the call. */
  to: z.string().optional(),
  /** Type of the farther end. */
  type: z.string().optional(),
  name: z.string().optional(),
})

const maxNamed = 40

export const relatedEntitiesTool = (parts: ToolDependencies) =>
  defineTool({
    description: 'Lists the relationships of an entity in both directions, nearest first.',
    effect: 'read',
    ability: ['entities/read', personalAbility],
    input: z.object({
      did: z.string().max(500),
      relationship: z.string().max(64).optional().describe('implements, generates, produces, …'),
      depth: z.int().min(1).max(4).optional(),
    }),
    output: z.object({ related: z.array(related), more: z.number().optional() }),
    async execute({ did, relationship, depth = 1 }) {
      const start = await findEntity(parts, did)
      const subgraph = await parts.graph.walk({ from: start.did, relationship, depth, direction: 'both' })
      const nodes = new Map((subgraph?.nodes ?? []).map(node => [nodeName(node), node]))
      const distance = (node: string): number => nodes.get(node)?.distance ?? 0
      const edges = (subgraph?.edges ?? []).slice(0, maxNamed).map(edge => ({
        ...edge,
        far: distance(edge.to) >= distance(edge.from) ? edge.to : edge.from,
      }))
      const known = await parts.reader.findAll(edges.map(({ far }) => far).filter(far => far.startsWith('did:')))
      const all = edges.map(({ from, relationship, to, far }) => {
        const entity = known.get(far)
        const name = entity && entityName(entity)
        const type = entity?.type ?? otherKind(nodes.get(far))
        return {
          ...(from === start.did ? {} : { from }),
          relationship,
          ...(to === start.did ? {} : { to }),
          type,
          name,
        }
      })
      const { shown } = firstThatFit(all, maxOutput - 100)
      const more = (subgraph?.edges.length ?? 0) - shown.length
      return { related: [...shown], ...(more > 0 ? { more } : {}) }
    },
  })

const nodeName = (node: GraphNode): string => ('uri' in node ? node.uri : node.did)

const otherKind = (node: GraphNode | undefined): string | undefined =>
  node !== undefined && 'uri' in node && node.kind !== 'other' ? node.kind : undefined
