import * as z from 'zod'
import { entityRecord } from './entity-contract.ts'
import { entityStatus } from './entity-members.ts'

export const entityNames = z.object({
  names: z.array(
    z.object({
      did: z.string().meta({ description: 'The DID as requested' }),
      type: z.string(),
      status: entityStatus,
      name: z.string().optional().meta({ description: 'Its name; missing if it has none' }),
    }),
  ),
})

export type EntityName = z.infer<typeof entityNames>['names'][number]

const latitude = z.number().min(-90).max(90)
const longitude = z.number().min(-180).max(180)

/** Entities with a position, or their counts where there are many. */
export const entityPlaces = z.object({
  places: z.array(z.object({ did: z.string(), type: z.string(), name: z.string().optional(), latitude, longitude })),
  cells: z.array(
    z.object({ west: longitude, south: latitude, east: longitude, north: latitude, count: z.int().positive() }),
  ),
})

export type EntityPlaces = z.infer<typeof entityPlaces>

/** Results of a search for entities. */
export const entityHits = z.object({
  hits: z.array(
    z.object({
      source: z.string().describe('`local`, or the host of the remote index'),
      did: z.string(),
      type: z.string(),
      excerpt: z.string().optional().describe('a few words around the match'),
      entity: entityRecord.optional().describe('for entities of this oracle'),
    }),
  ),
  incomplete: z.string().optional().describe('reason if the remote index returned nothing'),
})

export type EntityHit = z.infer<typeof entityHits>['hits'][number]
