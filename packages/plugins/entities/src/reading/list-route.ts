import { defineRoute, type Route } from '@sibyl/plugin'
import { entityRecord } from '@sibyl/protocol'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { answers } from '../records/route-answers.ts'
import type { EntityReader } from './entity-reader.ts'
import { listQuery, mostPropertyFilters, readFilters } from './read-filters.ts'

const page = z.object({
  entities: z.array(entityRecord),
  next: z.string().optional().meta({ description: 'The `cursor` of the next page; missing on the last one' }),
})

/** `GET /v1/entities`. */
export const listRoute = (reader: Pick<EntityReader, 'list' | 'records'>): Route =>
  defineRoute(
    entitiesAccess('read'),
    {
      method: 'get',
      path: '/v1/entities',
      summary: 'List entities',
      description:
        `The newest first. \`property.<name>=<value>\`, at most ${mostPropertyFilters} of them, narrows to entities whose property is ` +
        'that text, number or boolean. All that is given must hold. A page costs a bounded amount of work: where entities ' +
        'that fit are rare it may have few or none, and all the same a `next`. Go on until there is none.',
      request: { query: listQuery },
      responses: {
        200: answers.json('A page', page),
        400: answers.problem('`filter_invalid`, `cursor_invalid`, `input_invalid`'),
        403: answers.problem('`scope_missing`'),
      },
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const query = c.req.valid('query')
      const filters = readFilters(query, new URL(c.req.url).searchParams)
      const { entities, next } = await reader.list(filters, query.limit, query.cursor)
      return c.json({ entities: [...(await reader.records(entities))], ...(next === undefined ? {} : { next }) }, 200)
    },
  )
