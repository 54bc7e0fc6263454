import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesErrors } from '../errors/entities-errors.ts'
import { entityPlaces } from '../records/found-records.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { findPlaces, maxCounted, maxPlaces } from './find-places.ts'

const degrees = /^-?\d{1,3}(?:\.\d{1,15})?$/

const box = z
  .string()
  .max(100)
  .transform((text, context) => {
    const parts = text.split(',')
    const [west, south, east, north] = parts.map(Number)
    if (
      parts.length !== 4 ||
      !parts.every(part => degrees.test(part)) ||
      Math.max(Math.abs(west!), Math.abs(east!)) > 180 ||
      Math.max(Math.abs(south!), Math.abs(north!)) > 90 ||
      south! > north!
    ) {
      context.addIssue('must be west,south,east,north in degrees')
      return z.NEVER
    }
    return { west: west!, south: south!, east: east!, north: north! }
  })

const placesQuery = z.object({
  bbox: box.meta({
    description:
      'West, south, east and north in degrees. If west is greater than east, the box crosses the antimeridian',
    example: '33.9,-4.7,41.9,5.5',
  }),
  type: z.string().min(1).max(64).optional().meta({ description: 'Type', example: 'CookStove' }),
})

export const placesRoute = (storage: Pick<EntitiesStorage, 'engine' | 'read'>): Route =>
  route.get(
    '/v1/places',
    {
      auth: entitiesAccess('read'),
      summary: 'Find entities in a bounding box',
      description:
        'Active entities with a position: the property `location` as a GeoJSON Point or as an object with `latitude` and ' +
        '`longitude`, or the properties `latitude` and `longitude`. If the cells that cover the box have more than ' +
        `${maxPlaces} entities, \`places\` is empty and \`cells\` has their counts, at most ${maxCounted} each.`,
      query: placesQuery,
      ok: { 200: { description: 'The entities, or the counts of cells', schema: entityPlaces } },
      errors: [entitiesErrors.scope_missing],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const { bbox, type } = c.req.valid('query')
      const { places, cells } = await findPlaces(storage, { box: bbox, type })
      const named = places.map(({ name, ...place }) => (name === null ? place : { ...place, name }))
      return c.json({ places: named, cells: [...cells] }, 200)
    },
  )
