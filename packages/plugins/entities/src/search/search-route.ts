import { route } from '@sibyl/plugin'
import { didText } from '@sibyl/protocol'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesErrors } from '../errors/entities-errors.ts'
import { entityHits } from '../records/found-records.ts'
import type { EntitySearch } from './entity-search.ts'

const query = z.object({
  q: z.string().default('').meta({
    description:
      'Words in any order. The last one may be the beginning of a longer one. Only the first 500 characters are used',
    example: 'cook stoves kisumu',
  }),
  type: z.string().min(1).max(100).optional().meta({
    description: 'Only entities of this type, in any form: `CookStove`, `cook stove`',
    example: 'CookStove',
  }),
  protocol: didText.optional().meta({ description: 'Only entities that follow this protocol' }),
  limit: z.coerce.number().int().min(1).max(100).default(20),
})

/** Creates `GET /v1/search`: active entities, best first. */
export const searchRoute = (search: EntitySearch) =>
  route.get(
    '/v1/search',
    {
      auth: entitiesAccess('read'),
      summary: 'Search entities',
      query,
      ok: { 200: { description: 'Best first; entities of a remote index last', schema: entityHits } },
      errors: [entitiesErrors.scope_missing],
    },
    async context => {
      actingAs(context.get('actor'), 'read')
      const { q, ...narrowed } = context.req.valid('query')
      return context.json(await search.search({ query: q, ...narrowed }), 200)
    },
  )
