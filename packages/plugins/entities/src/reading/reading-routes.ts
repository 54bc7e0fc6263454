import { isUnchanged, listErrors, type Route, route } from '@sibyl/plugin'
import { entityRecord } from '@sibyl/protocol'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { answers, entityParams } from '../access/route-answers.ts'
import { entitiesErrors, entitiesFailures } from '../errors/entities-errors.ts'
import { etagOf } from '../records/etag.ts'
import type { EntityReader } from './entity-reader.ts'
import { entityPages, listQuery, mostPropertyFilters, readFilters } from './read-filters.ts'

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
      ok: { 200: { description: 'A page', schema: entityPages.response } },
      errors: [entitiesFailures.filter_invalid, listErrors.cursor_invalid, entitiesErrors.scope_missing],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const query = c.req.valid('query')
      const filters = readFilters(query, new URL(c.req.url).searchParams)
      const { entities, next } = await reader.list(filters, query.limit, query.cursor)
      return c.json({ entities: await reader.records(entities), next }, 200)
    },
  )

const query = z.object({
  at: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'As it was then, built from its history', example: '2026-11-21T08:00:00Z' }),
})

const headers = z.object({
  'if-none-match': z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: 'The `ETag` of a state that is known already' }),
})

export const entityRoute = (reader: Pick<EntityReader, 'find' | 'records' | 'recordAt'>): Route =>
  route.get(
    '/v1/entities/{did}',
    {
      auth: entitiesAccess('read'),
      summary: 'An entity',
      description:
        'With at most 100 of each relationship that it was given; the rest, and what leads to its claims, is in the graph. ' +
        'With `at` it is as it was at that time.',
      params: entityParams,
      query,
      headers,
      ok: {
        200: { ...answers.json('The entity', entityRecord), headers: answers.headersOfChange },
        304: { description: 'It is in the state of `If-None-Match`', headers: answers.headersOfChange },
      },
      errors: [
        entitiesErrors.scope_missing,
        entitiesFailures.entity_not_found,
        entitiesErrors.history_too_long,
        entitiesErrors.history_unfinished,
      ],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const { did } = c.req.valid('param')
      const { at } = c.req.valid('query')
      const isKnown = (etag: string) => isUnchanged(c.req.raw.headers, etag)
      if (at !== undefined) {
        const record = await reader.recordAt(did, Date.parse(at))
        if (!record) throw entitiesFailures.entity_not_found()
        const etag = etagOf(record.version)
        return isKnown(etag) ? c.body(null, 304, { etag }) : c.json(record, 200, { etag })
      }
      const entity = await reader.find(did)
      if (!entity) throw entitiesFailures.entity_not_found()
      const etag = etagOf(entity.version)
      if (isKnown(etag)) return c.body(null, 304, { etag })
      const [record] = await reader.records([entity])
      return c.json(record!, 200, { etag })
    },
  )
