import { isUnchanged, listErrors, type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { answers, entityParams } from '../access/route-answers.ts'
import { entitiesErrors, entitiesFailures } from '../errors/entities-errors.ts'
import { entityRecord } from '../records/entity-contract.ts'
import { etagOf } from '../records/etag.ts'
import type { EntityReader } from './entity-reader.ts'
import { entityPages, listQuery, maxPropertyFilters, readFilters } from './read-filters.ts'

export const listRoute = (reader: Pick<EntityReader, 'list' | 'records'>): Route =>
  route.get(
    '/v1/entities',
    {
      auth: entitiesAccess('read'),
      summary: 'List entities',
      description:
        `Newest first. \`property.<name>=<value>\`, at most ${maxPropertyFilters} of them, selects entities whose property is ` +
        'that string, number or boolean. Entities must match all filters. The cost of a page is bounded: if matching entities ' +
        'are rare, it may be short or empty and still have a `next`. Continue until `next` is missing.',
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
    .meta({ description: 'The state at this time, built from the history', example: '2026-11-21T08:00:00Z' }),
})

const headers = z.object({
  'if-none-match': z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: 'The `ETag` of a state that the caller already has' }),
})

export const entityRoute = (reader: Pick<EntityReader, 'find' | 'records' | 'recordAt'>): Route =>
  route.get(
    '/v1/entities/{did}',
    {
      auth: entitiesAccess('read'),
      summary: 'Get an entity',
      description:
        'With at most 100 targets of each of its relationships; the graph has the others, and those that lead to claims. ' +
        '`at` selects its state at a time.',
      params: entityParams,
      query,
      headers,
      ok: {
        200: { ...answers.json('The entity', entityRecord), headers: answers.headersOfChange },
        304: { description: 'The entity is in the state of `If-None-Match`', headers: answers.headersOfChange },
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
