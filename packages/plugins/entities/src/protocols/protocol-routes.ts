import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { entitiesErrors, entitiesFailures } from '../entities-errors.ts'
import { entityIdOf } from '../records/entity-did.ts'

import { protocolRecord, protocolRecordOf } from './protocol-record.ts'
import type { ProtocolStore } from './protocol-store.ts'

const limit = z.coerce.number().int().min(1).max(200).default(50)
const did = z.string().max(500).meta({ description: "The protocol's DID" })
const version = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const versionEntry = z.object({
  version: z.int(),
  createdAt: z.iso.datetime(),
  retired: z.literal(true).optional().meta({ description: 'It takes no entities and no claims any more' }),
})

/** `GET /v1/protocols`, and one of them with its versions. */
export const protocolRoutes = (protocols: Pick<ProtocolStore, 'list' | 'published' | 'versions'>): readonly Route[] => {
  const access = entitiesAccess('read')

  const find = async (given: string, wanted?: number) => {
    const found = await protocols.published(given, wanted)
    if (!found) throw entitiesFailures.protocol_not_found()
    return protocolRecordOf(found)
  }

  const list = route.get(
    '/v1/protocols',
    {
      auth: access,
      summary: 'List protocols',
      description: 'Each in its newest version, the newest protocol first.',
      query: z.object({
        limit,
        cursor: did
          .refine(text => entityIdOf(text) !== undefined, 'is not what a page gave as `next`')
          .optional()
          .meta({ description: '`next` of the page before' }),
      }),
      ok: {
        200: {
          description: 'A page; `next` where there are more',
          schema: z.object({ protocols: z.array(protocolRecord), next: z.string().optional() }),
        },
      },
      errors: [entitiesErrors.scope_missing],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const query = c.req.valid('query')
      const found = await protocols.list(query.limit + 1, query.cursor)
      const page = found.slice(0, query.limit)
      const last = found.length > page.length ? page.at(-1) : undefined
      return c.json({ protocols: page.map(protocolRecordOf), ...(last ? { next: last.definition.did } : {}) }, 200)
    },
  )

  const newest = route.get(
    '/v1/protocols/{did}',
    {
      auth: access,
      summary: 'The newest version of a protocol',
      params: z.object({ did }),
      ok: { 200: { description: 'The protocol', schema: protocolRecord } },
      errors: [entitiesErrors.scope_missing, entitiesFailures.protocol_not_found],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      return c.json(await find(c.req.valid('param').did), 200)
    },
  )

  const versions = route.get(
    '/v1/protocols/{did}/versions',
    {
      auth: access,
      summary: 'The versions of a protocol',
      description:
        'The newest first. Entities keep the version that they were checked against until they are moved. Its controller ' +
        'retires a version by a PATCH of the protocol with `retiredVersions`.',
      params: z.object({ did }),
      query: z.object({ limit, before: version.optional().meta({ description: '`next` of the page before' }) }),
      ok: {
        200: {
          description: 'A page; `next` where there are more',
          schema: z.object({ did: z.string(), versions: z.array(versionEntry), next: z.int().optional() }),
        },
      },
      errors: [entitiesErrors.scope_missing, entitiesFailures.protocol_not_found],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const query = c.req.valid('query')
      const protocol = await find(c.req.valid('param').did)
      const found = await protocols.versions(protocol.did, query.limit + 1, query.before)
      const page = found.slice(0, query.limit)
      const last = found.length > page.length ? page.at(-1) : undefined
      const shown = page.map(({ version, createdAt, retired }) => ({
        version,
        createdAt: new Date(createdAt).toISOString(),
        ...(retired ? { retired } : {}),
      }))
      return c.json({ did: protocol.did, versions: shown, ...(last ? { next: last.version } : {}) }, 200)
    },
  )

  const one = route.get(
    '/v1/protocols/{did}/versions/{version}',
    {
      auth: access,
      summary: 'A version of a protocol',
      description: 'It never changes, but that it may be retired.',
      params: z.object({ did, version }),
      ok: { 200: { description: 'The version', schema: protocolRecord } },
      errors: [entitiesErrors.scope_missing, entitiesFailures.protocol_not_found],
    },
    async c => {
      actingAs(c.get('actor'), 'read')
      const given = c.req.valid('param')
      return c.json(await find(given.did, given.version), 200)
    },
  )

  return [list, newest, versions, one]
}
