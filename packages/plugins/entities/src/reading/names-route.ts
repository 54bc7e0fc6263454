import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesErrors } from '../errors/entities-errors.ts'
import { entityName } from '../records/entity-name.ts'
import { entityNames } from '../records/found-records.ts'
import type { EntityReader } from './entity-reader.ts'

const maxNames = 100

const query = z.object({
  dids: z
    .string()
    .max(20_000)
    .transform(text => text.split(','))
    .pipe(z.array(z.string().min(1).max(500)).max(maxNames))
    .meta({
      description: `DIDs, separated by commas; at most ${maxNames}`,
      example: 'did:web:oracle.example:entities:0…',
    }),
})

export const namesRoute = (reader: Pick<EntityReader, 'findAll'>): Route =>
  route.get(
    '/v1/names',
    {
      auth: entitiesAccess('read'),
      summary: 'Get the names of entities',
      description:
        'The name of an entity is the first of its properties `name`, `title`, `label`, `nom` and `jina`, else the first ' +
        'entry of `alsoKnownAs`; of a Protocol only the latter. Unknown DIDs are missing in the response.',
      query,
      ok: { 200: { description: 'The known entities', schema: entityNames } },
      errors: [entitiesErrors.scope_missing],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const { dids } = c.req.valid('query')
      const found = await reader.findAll([...new Set(dids)])
      const names = [...found].map(([did, entity]) => {
        const name = entityName(entity)
        return { did, type: entity.type, status: entity.status, name }
      })
      return c.json({ names }, 200)
    },
  )
