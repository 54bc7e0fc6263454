import { type Route, route } from '@sibyl/plugin'
import { entityRecord } from '@sibyl/protocol'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesErrors } from '../entities-errors.ts'
import type { EntityReader } from './entity-reader.ts'
import { listQuery, mostPropertyFilters, readFilters } from './read-filters.ts'

const page = z.object({
  entities: z.array(entityRecord),
  next: z.string().optional().meta({ description: 'The `cursor` of the next page; missing on the last one' }),
})

/** `GET /v1/entities`. */
export const listRoute = (reader: Pick<EntityReader, 'list' | 'records'>): Route =>
  route.get(
    '/v1/entities',
    {
      auth: entitiesAccess('read'),
      summary: 'List entities',
      description:
        `The newest first. \`property.<name>=<value>\`, at most ${mostPropertyFilters} of them, narrows to entities whose property is ` +
        'that text, number or boolean. All that is given must hold. A page costs a bounded amount of work: where entities ' +
        'that fit are rare it may have few or none, and all the same a `next`. Go on until there is none.',
      query: listQuery,
      ok: { 200: { description: 'A page', schema: page } },
      errors: [
        { code: 'filter_invalid', status: 400 },
        { code: 'cursor_invalid', status: 400 },
        entitiesErrors.scope_missing,
      ],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const query = c.req.valid('query')
      const filters = readFilters(query, new URL(c.req.url).searchParams)
      const { entities, next } = await reader.list(filters, query.limit, query.cursor)
      return c.json({ entities: [...(await reader.records(entities))], ...(next === undefined ? {} : { next }) }, 200)
    },
  )
