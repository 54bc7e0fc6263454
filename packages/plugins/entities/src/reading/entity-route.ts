import { type Route, route } from '@sibyl/plugin'
import { entityRecord } from '@sibyl/protocol'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesErrors, entitiesFailures } from '../entities-errors.ts'

import { etagOf } from '../records/etag.ts'
import { answers } from '../records/route-answers.ts'
import type { EntityReader } from './entity-reader.ts'
import { matchesEtag } from './matches-etag.ts'

const params = z.object({
  did: z.string().max(500).meta({ description: "The entity's DID", example: 'did:web:localhost%253A3000:entities:0…' }),
})

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

/** `GET /v1/entities/{did}`. */
export const entityRoute = (reader: Pick<EntityReader, 'find' | 'records' | 'recordAt'>): Route =>
  route.get(
    '/v1/entities/{did}',
    {
      auth: entitiesAccess('read'),
      summary: 'An entity',
      description:
        'With at most 100 of each relationship that it was given; the rest, and what leads to its claims, is in the graph. ' +
        'With `at` it is as it was at that time.',
      params,
      query,
      headers,
      ok: {
        200: { ...answers.json('The entity', entityRecord), headers: answers.headersOfChange },
        304: { description: 'It is in the state of `If-None-Match`', headers: answers.headersOfChange },
      },
      errors: [
        entitiesErrors.scope_missing,
        entitiesFailures.entity_not_found,
        { code: 'history_too_long', status: 422 },
        entitiesErrors.history_unfinished,
      ],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const { did } = c.req.valid('param')
      const { at } = c.req.valid('query')
      const known = c.req.valid('header')['if-none-match']
      if (at !== undefined) {
        const record = await reader.recordAt(did, Date.parse(at))
        if (!record) throw entitiesFailures.entity_not_found()
        const etag = etagOf(record.version)
        return matchesEtag(known, etag) ? c.body(null, 304, { etag }) : c.json(record, 200, { etag })
      }
      const entity = await reader.find(did)
      if (!entity) throw entitiesFailures.entity_not_found()
      const etag = etagOf(entity.version)
      if (matchesEtag(known, etag)) return c.body(null, 304, { etag })
      const [record] = await reader.records([entity])
      return c.json(record!, 200, { etag })
    },
  )
