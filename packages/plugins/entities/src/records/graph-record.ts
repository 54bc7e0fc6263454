import * as z from 'zod'
import { domainClass, entityStatus } from './entity-members.ts'

const distance = z.int().meta({ description: 'Number of edges from the start' })

/** Nodes around an entity, claim or credential, and the edges between them. */
export const graphRecord = z.object({
  /** Nodes, nearest first. */
  nodes: z.array(
    z.union([
      z.object({ did: z.string(), type: z.string(), domainClass, status: entityStatus, distance }),
      z.object({ uri: z.string(), kind: z.enum(['claim', 'credential', 'oracle', 'other']), distance }),
    ]),
  ),
  /** Edges between returned nodes, by their DIDs and URIs. */
  edges: z.array(z.object({ from: z.string(), relationship: z.string(), to: z.string() })),
  /** True if there is more within that depth. */
  truncated: z.boolean(),
})

export type GraphRecord = z.infer<typeof graphRecord>

/** A node at the other end of a relationship; `type` of an entity. */
export const neighborRecord = z.object({ id: z.string(), type: z.string().optional() })

export type NeighborRecord = z.infer<typeof neighborRecord>

/** The relationships of a node, counted. */
export const neighborCounts = z.object({
  counts: z.array(
    z.object({
      direction: z.enum(['in', 'out']),
      relationship: z.string(),
      count: z.int(),
      /** The other ends by type, the most frequent first; empty if there are too many. */
      types: z.record(z.string(), z.int()),
    }),
  ),
})
